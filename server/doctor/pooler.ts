import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { missingLimits } from "@/server/role-limits";
import { type Finding, nameSetting, ok, problem, warning } from "./finding";

type Mode = "none" | "session" | "transaction";

/** Finds a pooler by the process ids, and its mode by whether two open connections share a server process. */
async function modeOf(clients: [Client, Client]): Promise<Mode> {
  const ids: { announced: number; actual: number }[] = [];
  for (const client of clients) {
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    ids.push({ announced: (client as Client & { processID: number }).processID, actual: rows[0]?.pid ?? 0 });
  }
  const [one, two] = ids;
  if (!one || !two || one.announced === one.actual) return "none";
  return one.actual === two.actual ? "transaction" : "session";
}

/** Whether two clients can prepare different statements under one name, as our processes do. */
async function keepsStatementsApart([one, two]: [Client, Client]): Promise<boolean> {
  const name = randomUUID();
  try {
    await one.query({ name, text: "SELECT 1 AS one" });
    await two.query({ name, text: "SELECT 2 AS two" });
    return true;
  } catch {
    return false;
  }
}

async function withTwoClients<T>(url: string, work: (clients: [Client, Client]) => Promise<T>): Promise<T> {
  const open = () => new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  const clients: [Client, Client] = [open(), open()];
  for (const client of clients) client.on("error", () => undefined);
  try {
    for (const client of clients) await client.connect();
    return await work(clients);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

/** What a pooler of transactions lacks that web processes need. */
async function checkTransactions(clients: [Client, Client]): Promise<Finding[]> {
  const found: Finding[] = [];
  if (!(await keepsStatementsApart(clients)))
    found.push(
      problem(
        "The pooler mixes up prepared statements of different connections",
        "Use PgBouncer 1.21 or newer, with max_prepared_statements above 0 (deploy/pgbouncer/pgbouncer.ini).",
      ),
    );
  const missing = (await missingLimits(clients[0])).map(({ name }) => name);
  if (missing.length > 0)
    found.push(
      problem(
        `Sessions behind the pooler have no ${missing.join(", ")}`,
        "Start a web process with DATABASE_URL_DIRECT: it sets them for its role. Then run RECONNECT in PgBouncer's console.",
      ),
    );
  return found;
}

interface Addresses {
  url: string;
  direct?: string;
  owner?: string;
}

/** The addresses that must lead to PostgreSQL itself, or to a pooler of sessions. */
async function checkDirect({ url, direct, owner = direct }: Addresses): Promise<Finding[]> {
  const settings = { DATABASE_URL_DIRECT: direct, DATABASE_MIGRATE_URL: owner === direct ? undefined : owner };
  const found: Finding[] = [];
  for (const [name, address] of Object.entries(settings)) {
    if (!address || address === url) continue;
    if ((await withTwoClients(address, modeOf).catch(nameSetting(name))) === "transaction")
      found.push(
        problem(`${name} leads to a pooler in transaction mode`, "Set it to the address of PostgreSQL itself."),
      );
  }
  return found;
}

/** @param addresses those that the operator has set; this process itself goes past a pooler */
export async function checkPooler(addresses: Addresses): Promise<Finding[]> {
  const { url, direct } = addresses;
  const atPooler = await withTwoClients(url, async (clients): Promise<Finding[]> => {
    const mode = await modeOf(clients);
    if (mode === "none" && direct)
      return [
        warning(
          "DATABASE_URL_DIRECT is set, but no pooler is between Paydesk and PostgreSQL",
          "Remove it: limits of connections are then set by Paydesk itself.",
        ),
      ];
    if (mode === "none") return [ok("No pooler between Paydesk and PostgreSQL")];
    if (mode === "session") return [ok("A pooler in session mode is between Paydesk and PostgreSQL")];
    if (!direct)
      return [
        problem(
          "A pooler in transaction mode is between Paydesk and PostgreSQL: time limits and locks of a session are lost",
          "Set DATABASE_URL_DIRECT to PostgreSQL's own address for jobs and locks, or use the pooler's session mode.",
        ),
      ];
    const found = await checkTransactions(clients);
    return found.length > 0
      ? found
      : [ok("A pooler in transaction mode is between Paydesk's web processes and PostgreSQL")];
  }).catch((error: unknown) => {
    if (!direct) throw error;
    return nameSetting("DATABASE_URL")(error);
  });
  return [...atPooler, ...(await checkDirect(addresses))];
}
