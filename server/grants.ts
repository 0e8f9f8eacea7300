import { Client, escapeIdentifier } from "pg";
import { migrationLock } from "./migrate";

interface Changes {
  /** Columns that are never updated; `identity` unless given. */
  fixed?: readonly string[];
  /** The only columns that are updated. */
  only?: readonly string[];
  /** Whether rows are deleted. */
  deletes?: true;
}

const identity = ["id", "business_id", "livemode"];

const money = [...identity, "amount_cents", "currency", "gateway", "gateway_key", "payment_id", "payment_link_id"];

/**
 * What the application does to rows besides reading and inserting them, by table. A table that is not named here is only added
 * to: postings, events, the audit log, movements of disputes, attempts of webhooks, logged requests. Rows that only
 * server/prune.ts deletes are the owner's to delete.
 */
const changes: Record<string, Changes> = {
  api_key: { fixed: [...identity, "hash", "hint", "scopes"] },
  balance_entry: { only: ["recorded", "payment_id", "refund_id", "payout_id"] },
  balance_import: {},
  business: {},
  business_logo: { deletes: true },
  customer: {
    only: ["name", "notes", "metadata", "changed_to", "changed_at", "moved_to_at", "moved_to_id", "updated_at"],
  },
  database_restore: { only: ["released_at"] },
  dispute: { fixed: [...identity, "payment_id", "payment_link_id", "gateway_ref"] },
  dispute_listing: {},
  email: {},
  former_password: { deletes: true },
  gateway_account: {},
  gateway_balance: {},
  idempotency_key: { deletes: true },
  invitation: {},
  link_visit: {},
  membership: { deletes: true },
  notification_state: { fixed: ["business_id", "user_id", "livemode"] },
  package: {},
  package_repricing: { deletes: true },
  passkey: { deletes: true },
  passkey_challenge: { deletes: true },
  password_reset: { deletes: true },
  payment: { fixed: money },
  payment_link: {},
  payment_link_import: {},
  payout: { only: ["status", "arrival_date", "bank_reference", "complete", "totals", "updated_at"] },
  rate_limit: { deletes: true },
  recovery_code: { deletes: true },
  refund: { fixed: money },
  sandbox_callback: { deletes: true },
  sandbox_card: {},
  sandbox_charge: {},
  sandbox_dispute: {},
  sandbox_entry: {},
  sandbox_fault: { deletes: true },
  sandbox_refund: {},
  saved_view: { fixed: ["id", "business_id", "user_id", "list"], deletes: true },
  session: { fixed: ["id", "user_id"], deletes: true },
  settled_change: { deletes: true },
  settled_sum: {},
  staff_user: {},
  stored_figures: {},
  subscription: {},
  tokenization: {},
  unknown_charge: {},
  webhook_delivery: {},
  webhook_endpoint: {},
  write_usage: {},
};

interface Table {
  name: string;
  columns: string[];
}

function grantsOn({ name, columns }: Table, role: string): string[] {
  const table = `public.${escapeIdentifier(name)}`;
  const grants = [`GRANT SELECT, INSERT ON ${table} TO ${role}`];
  const change = changes[name];
  if (!change) return grants;
  const { fixed = identity, only = columns, deletes } = change;
  const updated = only.filter((column) => columns.includes(column) && !fixed.includes(column));
  grants.push(`GRANT UPDATE (${updated.map(escapeIdentifier).join(", ")}) ON ${table} TO ${role}`);
  if (deletes) grants.push(`GRANT DELETE ON ${table} TO ${role}`);
  return grants;
}

/**
 * Gives the role that serves requests its rights on the owner's tables, and no others. It reaches partitions through their
 * table alone, so those that are made later need no grant. The queue's tables get a policy:
 * graphile-worker turns row security on, which hides all rows from other roles than the owner.
 */
async function grantTo(owner: Client, role: string): Promise<void> {
  const { rows: tables } = await owner.query<Table>(`
    SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> '_prisma_migrations'
       AND NOT c.relispartition
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname`);
  const { rows: views } = await owner.query<{ name: string }>(
    "SELECT viewname AS name FROM pg_views WHERE schemaname = 'public'",
  );
  const { rows: hidden } = await owner.query<{ name: string }>(`
    SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'graphile_worker'::regnamespace AND c.relrowsecurity
       AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid)`);
  const statements = [
    `REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${role}`,
    `GRANT USAGE ON SCHEMA public, graphile_worker TO ${role}`,
    ...["_prisma_migrations", ...views.map(({ name }) => name)].map(
      (name) => `GRANT SELECT ON public.${escapeIdentifier(name)} TO ${role}`,
    ),
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA public, graphile_worker TO ${role}`,
    `GRANT UPDATE ON SEQUENCE business_id_seq TO ${role}`, // for the demo business
    ...tables.flatMap((table) => grantsOn(table, role)),
    ...hidden.map(({ name }) => `CREATE POLICY all_rows ON graphile_worker.${escapeIdentifier(name)} USING (true)`),
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA graphile_worker TO ${role}`,
    `REVOKE INSERT, UPDATE, DELETE ON graphile_worker.migrations FROM ${role}`,
  ];
  await owner.query(`BEGIN; ${statements.join("; ")}; COMMIT`);
}

/** Runs `work` on a connection of its own. */
export async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => undefined); // a statement that runs fails as well
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Lets the role of one address work on the tables of another one's, in the same database.
 * @returns whether that role could change history all the same: it is the owner, or may act as the owner
 */
export async function grantRights(ownerUrl: string, url: string): Promise<boolean> {
  const [role] = await connected(url, async (client) => {
    const { rows } = await client.query<{ name: string; owns: boolean }>(`
      SELECT current_user::text AS name, pg_has_role(relowner, 'USAGE') AS owns FROM pg_class
       WHERE oid = 'posting'::regclass`);
    return rows;
  });
  if (!role || role.owns) return true;
  if (ownerUrl !== url)
    await connected(ownerUrl, async (owner) => {
      await owner.query("SELECT pg_advisory_lock($1)", [migrationLock]); // two processes' GRANTs would fail
      await grantTo(owner, escapeIdentifier(role.name));
    });
  return false;
}
