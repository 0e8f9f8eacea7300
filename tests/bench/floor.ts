/**
 * The floor: the least that a Node server must do for the same effects. Fastify and pg, the same SQL, the same
 * answers; no rate limit, no idempotency, no log, no error texts. Shares no code with the product.
 */
import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import fastify, { type FastifyRequest } from "fastify";
import { Pool } from "pg";
import { columns, type Link, newId, present, shown } from "./floor-link";

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
pool.on("error", (error) => console.error(error.message));
const app = fastify({ ajv: { customOptions: { allowUnionTypes: true } } });

const names = new Map<string, string>();

/** Prepared once per connection, as in the product. */
async function query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
  const name = names.get(text) ?? `f${names.size}`;
  names.set(text, name);
  return (await pool.query<Row>({ name, text, values })).rows;
}

interface Key {
  id: string;
  business_id: number;
  livemode: boolean;
  scopes: string[];
  clock_ahead: number;
}

class Refusal extends Error {
  constructor(
    readonly statusCode: number,
    message: string,
  ) {
    super(message);
  }
}

async function authenticate(request: FastifyRequest, scope: string): Promise<Key> {
  const key = request.headers.authorization?.slice("Bearer ".length) ?? "";
  const [row] = await query<Key>(
    `SELECT k.id, k.business_id, k.livemode, k.scopes,
            CASE WHEN k.livemode THEN 0 ELSE b.test_clock_ahead END::float8 AS clock_ahead
       FROM api_key k JOIN business b ON b.id = k.business_id
      WHERE k.hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`,
    [createHash("sha256").update(key).digest("hex")],
  );
  if (!row) throw new Refusal(401, "Unauthenticated.");
  if (!row.scopes.includes(scope)) throw new Refusal(403, "This action is unauthorized.");
  return row;
}

function envelope(data: unknown, page?: object) {
  const timestamp = `${new Date().toISOString().slice(0, 19).replace("T", " ")} UTC`;
  return { success: true, data, errors: null, meta: { timestamp, timezone: "UTC", ...page } };
}

const id = { type: "string", pattern: "^pl_[0-9a-hjkmnp-tv-z]{36}$" };

app.get<{ Params: { id: string } }>(
  "/api/payment-links/:id",
  { schema: { params: { type: "object", properties: { id } } } },
  async (request) => {
    const key = await authenticate(request, "read");
    const [row] = await query<Link>(
      `SELECT ${columns("$1")} FROM payment_link
       WHERE id = $2 AND business_id = $3 AND livemode = $4 AND deleted_at IS NULL`,
      [new Date(), request.params.id, key.business_id, key.livemode],
    );
    if (!row) throw new Refusal(404, "Payment link not found.");
    return envelope(present(row));
  },
);

const listQuery = {
  type: "object",
  additionalProperties: false,
  properties: { per_page: { type: "integer", minimum: 1, maximum: 100, default: 25 } },
};

app.get<{ Querystring: { per_page: number } }>(
  "/api/payment-links",
  { schema: { querystring: listQuery } },
  async (request) => {
    const key = await authenticate(request, "read");
    const { per_page } = request.query;
    const rows = await query<Link>(
      `SELECT ${columns("$1")} FROM payment_link WHERE business_id = $2 AND livemode = $3 AND deleted_at IS NULL
       ORDER BY payment_link.created_at DESC, id DESC LIMIT $4`,
      [new Date(), key.business_id, key.livemode, per_page + 1],
    );
    const page = rows.slice(0, per_page);
    const last = rows.length > per_page ? page.at(-1) : undefined;
    const position = last && JSON.stringify(["payment_link", "-created_at", false, last.created_at, last.id]);
    const next_cursor = position ? Buffer.from(position).toString("base64url") : null;
    return envelope(page.map(present), { per_page, next_cursor, prev_cursor: null });
  },
);

interface Input {
  currency: string;
  email: string;
  amount: string | number;
  title: string;
  phone_no?: string;
  description?: string;
  redirect_url?: string;
  reference?: string;
  reference_2?: string;
  expires_at?: string;
  send_email?: boolean;
}

const text = (maxLength: number) => ({ type: "string", maxLength });
const body = {
  type: "object",
  required: ["currency", "email", "amount", "title"],
  properties: {
    currency: { type: "string", enum: Intl.supportedValuesOf("currency") },
    email: { ...text(254), pattern: "^[^\\s@<>()]{1,64}@([a-z0-9-]{1,63}\\.)+[a-z0-9-]{2,63}$" },
    amount: { type: ["string", "integer"], pattern: "^[0-9]+$" },
    title: { ...text(50), minLength: 1 },
    phone_no: text(32),
    description: text(2000),
    redirect_url: { ...text(2048), pattern: "^https?://[a-z0-9]" },
    reference: text(50),
    reference_2: text(50),
    send_email: { type: "boolean" },
    expires_at: text(40),
  },
};

app.post<{ Body: Input }>("/api/payment-links", { schema: { body } }, async (request) => {
  const key = await authenticate(request, "write");
  const input = request.body;
  const cents = Number(input.amount);
  if (cents < 500 || cents > 3_000_000) throw new Refusal(422, "amount");
  if (input.redirect_url && !URL.canParse(input.redirect_url)) throw new Refusal(422, "redirect_url");
  const expires = input.expires_at ? new Date(input.expires_at) : null;
  const now = new Date();
  if (expires && !(expires > now)) throw new Refusal(422, "expires_at");
  const { business_id, livemode } = key;
  const [made] = await query<{ link: object }>(
    `WITH link AS (
       INSERT INTO payment_link (id, business_id, livemode, email, phone_no, currency, amount_cents, title, description,
         redirect_url, reference, reference_2, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING ${shown("$14")}),
     written AS (
       INSERT INTO event (id, business_id, livemode, type, resource_id, sequence, payment_link_id, data, actor_type,
                          actor_id, request_id, created_at)
       SELECT $15, $2, $3, 'payment_link.created', $1, 1, $1, to_jsonb(link), 'api_key', $16, $17, $14 FROM link
       RETURNING id, business_id, livemode, type),
     delivered AS (
       INSERT INTO webhook_delivery (id, business_id, livemode, endpoint_id, event_id, type)
       SELECT webhook_delivery_id(w.id, written.id), written.business_id, written.livemode, w.id, written.id, written.type
         FROM written JOIN webhook_endpoint w ON w.business_id = written.business_id AND w.livemode = written.livemode
          AND w.status = 'enabled' AND w.deleted_at IS NULL AND w.events && ARRAY['*', written.type]),
     mailed AS (
       INSERT INTO email (id, business_id, livemode, event_id, payment_link_id, template, "to", props, status,
                          next_attempt_at, created_at)
       SELECT $18, $2, $3, $15, $1, 'payment_link', $4, jsonb_build_object('link', to_jsonb(link)),
              CASE WHEN $3 THEN 'queued' ELSE 'outbox' END, CASE WHEN $3 THEN now() END, $14
         FROM link WHERE $19)
     SELECT to_json(link) AS link FROM link`,
    [
      ...[newId("pl"), business_id, livemode, input.email, input.phone_no, input.currency, cents, input.title],
      ...[input.description, input.redirect_url, input.reference, input.reference_2, expires, now, newId("evt")],
      ...[key.id, randomUUID(), newId("eml"), input.send_email !== false],
    ],
  );
  return envelope(made?.link);
});

// --- the pay page ---------------------------------------------------------------------------------------------------

interface Payable {
  id: string;
  status: string;
  amount_cents: number;
  currency: string;
  title: string;
  description: string | null;
  expires_at: Date | null;
  deleted_at: Date | null;
  business_name: string;
  gateway_account_id: string | null;
}

const lastVisits = new Map<string, number>();

/** One write for each link and minute, not awaited, as in the product. */
function noteVisit(linkId: string): void {
  const now = Date.now();
  if (now - (lastVisits.get(linkId) ?? 0) < 60_000) return;
  lastVisits.set(linkId, now);
  query(
    `INSERT INTO link_visit (payment_link_id, subscription_id, hour, last_at)
     VALUES ($1, (SELECT subscription_id FROM payment_link WHERE id = $1), $2, $3)
     ON CONFLICT (payment_link_id, hour) DO UPDATE SET visits = link_visit.visits + 1, last_at = excluded.last_at`,
    [linkId, new Date(now - (now % 3_600_000)), new Date(now)],
  ).catch((error: unknown) => console.error(error));
}

/** The product's own document with its values cut out (see page.ts), so that both send the same bytes. */
const template: { headers: Record<string, string>; parts: string[] } = JSON.parse(
  readFileSync(process.env.PAGE_TEMPLATE ?? "", "utf8"),
);

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
const escapeHtml = (value: string) => value.replace(/[&<>"']/g, (char) => entities[char] ?? char);
const euros = new Intl.NumberFormat("en", { style: "currency", currency: "EUR" });

app.get<{ Querystring: { id: string } }>(
  "/pay",
  { schema: { querystring: { type: "object", required: ["id"], properties: { id } } } },
  async (request, reply) => {
    const [link] = await query<Payable>(
      `SELECT l.id, l.livemode, l.status, l.amount_cents, l.currency, l.title, l.description, l.redirect_url,
              l.expires_at, l.paid_at, l.deleted_at, b.name AS business_name, b.timezone AS business_timezone,
              b.brand_colour, b.logo_hash, b.logo_width, b.logo_height, b.support_email, b.support_phone, b.thank_you_text,
              p.id AS attempt_id, p.status AS attempt_status, p.reason AS attempt_reason,
              extract(epoch FROM clock_timestamp() - p.created_at)::float8 AS attempt_age, p.card_brand, p.card_last4,
              p.receipt_token, l.email, l.business_id, l.reference, l.subscription_id, l.period_index, a.id AS gateway_account_id,
              CASE WHEN l.livemode THEN 0 ELSE b.test_clock_ahead END::float8 AS clock_ahead
         FROM payment_link l
         JOIN business b ON b.id = l.business_id
         LEFT JOIN gateway_account a
           ON a.business_id = l.business_id AND a.livemode = l.livemode AND a.replaced_at IS NULL
         LEFT JOIN LATERAL (
           SELECT * FROM payment WHERE payment_link_id = l.id ORDER BY created_at DESC, id DESC LIMIT 1
         ) p ON true
        WHERE l.id = $1`,
      [request.query.id],
    );
    if (!link || link.deleted_at || link.status !== "Active" || (link.expires_at && link.expires_at <= new Date()))
      throw new Refusal(404, "only payable links here");
    noteVisit(link.id);
    const values: Record<string, string> = {
      id: link.id,
      amount: euros.format(link.amount_cents / 100),
      amount_cents: String(link.amount_cents),
      currency: link.currency,
      title: escapeHtml(link.title),
      description: escapeHtml(link.description ?? ""),
      business: escapeHtml(link.business_name),
    };
    // Text and names take turns.
    const html = template.parts.map((part, index) => (index % 2 ? values[part] : part)).join("");
    return reply.headers(template.headers).send(html);
  },
);

process.once("SIGTERM", () => {
  void app
    .close()
    .then(() => pool.end())
    .finally(() => process.exit(0));
});
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
