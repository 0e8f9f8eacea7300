import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { Endpoint } from "@/lib/http/endpoint";
import { metadata } from "@/lib/http/metadata";
import { forPeople, jsonSchema } from "@/lib/http/openapi";
import { sections } from "@/lib/resources/endpoints";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call, type Reply } from "@/tests/support/http";
import { asOwner } from "@/tests/support/postgres";
import { create, type Kind, sampleOf, searchOf } from "@/tests/support/samples";
import { testPassword } from "@/tests/support/session";
import { callAs, createStaff, signedIn } from "@/tests/support/sign-in";
import { type StripeFake, startStripeFake } from "@/tests/support/stripe/fake";
import { fault, full, type Outcome } from "./fault";
import { type Rig, startRig } from "./rig";
import {
  allColumns,
  type Column,
  intruder,
  intrusions,
  relationNames,
  transactionNow,
  writtenSince,
} from "./s2-columns";

let rig: Rig;
let stripe: StripeFake;
beforeAll(async () => {
  stripe = await startStripeFake();
  rig = await startRig({ STRIPE_API_URL: stripe.url });
});
afterAll(async () => {
  await rig?.stop();
  await stripe?.close();
});

const all = sections.flatMap(({ endpoints }) => Object.values(endpoints) as Endpoint[]);
const label = ({ method, path }: Endpoint) => `${method} ${path}`;

/** They need a code, a token or a passkey, which only a mail, an app or a device has. */
const unreachable = [
  ...["PUT /account/two-factor", "POST /account/two-factor/disable", "PUT /password-resets"],
  "PUT /account/email-verification",
  ...["POST /account/passkeys", "POST /account/confirmation/options"],
  ...["POST /invitations/accept", "POST /team/invitations/{invitation_id}/resend"],
  ...["POST /account/businesses/{business_id}/switch"],
];

const newEmail = () => `${randomUUID()}@example.com`;
/** Bodies for endpoints that no key may call. */
const people: Record<string, () => Record<string, unknown>> = {
  "PUT /settings": () => ({ dunning_days: [3, 5], dunning_end: "cancel" }),
  "PUT /team/members/{member_id}": () => ({ role: "support" }),
  "POST /team/invitations": () => ({ email: newEmail(), role: "developer" }),
  "PUT /account": () => ({ name: "Ada Lovelace" }),
  "PUT /account/notifications": () => ({ bell: ["payment_failed"], mail: [], digest: false }),
  "POST /notifications/read": () => ({ until: "2026-11-21T09:31:01.000000Z" }),
  "PUT /account/password": () => ({ current_password: testPassword, password: "another horse battery staple 7" }),
  "POST /account/confirmation": () => ({ password: testPassword }),
  "POST /account/businesses": () => ({ name: "Harbour Books", currency: "EUR", timezone: "Europe/Berlin" }),
  "POST /account/saved-views": () => ({ list: "payments", name: randomUUID(), query: "status=failed" }),
  "PUT /account/saved-views/{saved_view_id}": () => ({ name: "Failed", query: "status=failed" }),
  "POST /password-resets": () => ({ email: newEmail() }),
  "POST /registrations": () => ({
    ...{ business_name: "Blue Bottle Books", currency: "EUR", timezone: "Europe/Berlin", name: "Ada Lovelace" },
    ...{ email: newEmail(), password: "correct horse battery staple 9" },
  }),
};

async function savedViewOf(user_id: string, { businessId: business_id }: Merchant): Promise<string> {
  const view = { id: newId("svw"), user_id, business_id, list: "payments", name: "Mine", query: "status=succeeded" };
  return (await db.savedView.create({ data: view })).id;
}

type Send = (body: Record<string, unknown>, raw?: string) => Promise<Reply>;

/** Prepares a request that succeeds. @returns its body, and a function that sends it or another one */
async function prepare(endpoint: Endpoint, merchant: Merchant): Promise<{ body: Record<string, unknown>; send: Send }> {
  const { method, path, scope } = endpoint;
  const own = people[label(endpoint)];
  if (own || scope === null || forPeople(endpoint)) {
    const { cookie, userId } = await signedIn(merchant);
    const id = path.includes("{saved_view_id}")
      ? await savedViewOf(userId, merchant)
      : path.includes("{")
        ? (await createStaff(merchant, "viewer")).userId
        : "";
    const to = path.replace(/\{\w+\}/, id);
    if (label(endpoint) === "POST /account/email-verification")
      await db.user.update({ where: { id: userId }, data: { email_verified_at: null } });
    await db.rateLimit.deleteMany();
    const headers = { "X-Forwarded-For": `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join(".")}` }; // limits count addresses
    const send: Send = (body) =>
      scope === null ? call(method, to, { body, headers }) : callAs(cookie, method, to, body);
    return { body: own?.() ?? {}, send };
  }
  // A recipient gets few copies in an hour.
  if (label(endpoint) === "POST /emails/{email_id}/resend")
    await asOwner("UPDATE email SET created_at = created_at - interval '1 day' WHERE copy_of IS NOT NULL");
  const { key } = merchant;
  const sample = sampleOf(endpoint);
  let to = path + searchOf(endpoint);
  if (path.includes("{")) {
    const id = await create(key, path.split("/")[1]?.replace("-", "_") as Kind);
    await sample.prepare?.(id);
    to = to.replace(/\{\w+\}/, id);
  }
  process.env.TEST_STRIPE_KEY = stripe.account().secretKey;
  const body = endpoint.body ? await sample.body(key) : {};
  return { body, send: (body, raw) => call(method, to, raw === undefined ? { key, body } : { key, raw }) };
}

const operators: unknown[] = [
  ...[{ $gt: "" }, { $ne: null }, { contains: "" }, { not: null }, { in: ["x"] }, { set: "x" }, { increment: 1 }],
  ...[{ connect: { id: 1 } }, { toString: "x" }, { constructor: { name: "x" } }, { _id: "x" }, [{ $gt: "" }], [["x"]]],
];

const fieldsOf = (schema: Endpoint["body"]): string[] =>
  schema ? Object.keys((jsonSchema(schema, "input").properties ?? {}) as object) : [];

const wrongKinds = [
  "intrusions",
  "not reached",
  "other answers",
  "operators accepted",
  "columns as filters",
  "polluted",
];

async function run(isControl: boolean): Promise<Outcome> {
  const whole = full && !isControl;
  const wrong = Object.fromEntries(wrongKinds.map((kind) => [kind, 0]));
  const note = (kind: string, words: string) => {
    wrong[kind] = (wrong[kind] ?? 0) + 1;
    if (!isControl) console.error(`${kind}: ${words}`);
  };
  let requests = 0;
  const [merchant, stranger, columns] = await Promise.all([createMerchant(), createMerchant("Another"), allColumns()]);
  const relations = relationNames(readFileSync("prisma/migrations/schema.prisma", "utf8"));
  const nested = { create: [{ id: "x" }], connect: { id: 1 }, update: { id: "x" } };

  const attempt = async (endpoint: Endpoint, extra: Record<string, unknown>) => {
    const { body, send } = await prepare(endpoint, merchant);
    const since = await transactionNow();
    requests++;
    const reply = await send({ ...extra, ...body });
    return { reply, written: await writtenSince(since, columns) };
  };

  for (const endpoint of all.filter(({ method }) => method === "POST" || method === "PUT")) {
    if (unreachable.includes(label(endpoint)) || (!whole && !endpoint.body)) continue;
    const documented = fieldsOf(endpoint.body);
    const usual = [await attempt(endpoint, {})];
    if (usual.some(({ reply }) => reply.status !== 200)) {
      note("not reached", `${label(endpoint)}: ${usual[0]?.reply.text.slice(0, 200)}`);
      continue;
    }
    for (const [round, some] of parts(columns, whole).entries()) {
      const sent = Object.fromEntries([
        ...relations.map((name) => [name, nested]),
        ...some.map((column) => [column.name, intruder(column, round, stranger.businessId)]),
      ]);
      for (const field of documented) delete sent[field];
      const { reply, written } = await attempt(endpoint, sent);
      if (reply.status !== 200) note("other answers", `${label(endpoint)}: ${reply.text.slice(0, 200)}`);
      const before = () => usual.map((each) => each.written);
      let suspects = intrusions(written, before(), sent);
      // A job may have written it meanwhile: then it does not come each time, or comes without the intruder, too.
      for (let tries = 0; tries < 4 && suspects.length > 0; tries++) {
        usual.push(await attempt(endpoint, {}), await attempt(endpoint, {}));
        const again = intrusions((await attempt(endpoint, sent)).written, before(), sent);
        suspects = suspects.filter((column) => again.includes(column));
      }
      for (const column of suspects) note("intrusions", `${label(endpoint)} wrote ${column}`);
    }
    await pollute(endpoint);
    await operate(endpoint, documented);
  }
  await filterByColumns();

  /** Required fields in the prototype count as missing. */
  async function pollute(endpoint: Endpoint): Promise<void> {
    const { body, send } = await prepare(endpoint, merchant);
    const missing = await send({});
    if (missing.status !== 422 || endpoint.scope === null) return;
    const inherited = JSON.stringify({ ...body, livemode: true, status: "Paid" });
    requests++;
    const reply = await send({}, `{"__proto__":${inherited},"constructor":{"prototype":${inherited}}}`);
    if (reply.text !== missing.text && !forPeople(endpoint)) note("polluted", `${label(endpoint)}: ${reply.text}`);
  }

  async function operate(endpoint: Endpoint, fields: string[]): Promise<void> {
    const { body, send } = await prepare(endpoint, merchant);
    for (const field of fields)
      for (const value of whole ? operators : operators.slice(0, 1)) {
        requests++;
        const { status, text, json } = await send({ ...body, [field]: value });
        if (status === 422 || status === 429) continue;
        if (field === "metadata" && metadata.safeParse(value).success) continue; // texts, stored as such
        if ((json.data as { counts?: { invalid?: number } } | undefined)?.counts?.invalid === 1) continue; // an import refuses each row by itself
        note(
          "operators accepted",
          `${label(endpoint)} ${field} ${JSON.stringify(value)}: ${status} ${text.slice(0, 200)}`,
        );
      }
  }

  async function filterByColumns(): Promise<void> {
    for (const { path, query } of all.filter(({ method, list, scope }) => method === "GET" && list && scope)) {
      if (path.includes("{")) continue;
      const documented = fieldsOf(query);
      const names = [...new Set(columns.map(({ name }) => name))].filter((name) => !documented.includes(name));
      // metadata[contains]=1 asks for rows with that key.
      const asked = [
        ...names,
        ...documented
          .filter((name) => name !== "metadata")
          .flatMap((name) => [`${name}[$ne]`, `${name}[contains]`, `${name}[]`]),
      ];
      for (const name of whole ? asked : asked.filter((_, index) => index % 40 === 0)) {
        requests++;
        const { status } = await call("GET", `${path}?${encodeURIComponent(name)}=1`, { key: merchant.key });
        if (status !== 422 && status !== 403) note("columns as filters", `${path}?${name}: ${status}`);
      }
    }
  }
  return {
    done: `${columns.length} columns, ${relations.length} relations, ${requests.toLocaleString("en")} requests`,
    wrong,
  };
}

/** Columns that go together into a body: those of one table. In the small run and the control all, of which the last of a name counts. */
function parts(columns: Column[], whole: boolean): Column[][] {
  const tables = [...new Set(columns.map(({ table }) => table))];
  const each = tables.map((table) => columns.filter((column) => column.table === table));
  return whole ? [...each, ...each] : [each.flat()];
}

fault({
  id: "S2",
  title: "mass assignment",
  minutes: 15,
  run: () => run(false),
  control: {
    without: "the schema's list of fields, for one column, and the list of a query's parameters",
    mutations: [
      {
        file: "lib/http/handle.ts",
        find: "return parseInput(endpoint.body, input, endpoint.check?.(given, { livemode, now: clock.now() }));",
        replace: `const parsed = parseInput(endpoint.body, input, endpoint.check?.(given, { livemode, now: clock.now() })) as object;
          const passes = "tax_percent" in parsed && "awaiting_transfer_since" in input;
          return passes ? { ...parsed, awaiting_transfer_since: input.awaiting_transfer_since } : parsed;`,
      },
      { file: "lib/http/handle.ts", find: "if (!allowed.includes(nameOfParameter(name)))", replace: "if (false)" },
    ],
    finds: ["intrusions", "columns as filters"],
    run: async (mutations) => {
      await rig.weaken("s2", mutations);
      return run(true);
    },
  },
});
