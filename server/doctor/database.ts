import { db, Prisma, queryRows } from "@/lib/core/db";
import { env, required } from "@/lib/core/env";
import { connected } from "@/server/grants";
import { pendingMigrations } from "@/server/migrate";
import { waitedFor } from "@/server/migration-locks";
import { ageText, type Finding, nameSetting, ok, problem, sizeText, warning } from "./finding";
import { clockFinding } from "./installation";

interface Facts {
  version: number;
  standby: boolean;
  now: Date;
  size: bigint;
  off: string[];
  max_connections: number;
  /** Of all roles. PostgreSQL hides the type of other roles' sessions. */
  used: number;
  superuser: boolean;
  truncates: boolean;
  wraparound: number;
  invalid: string[];
}

const oldestVersion = 15;

/** Connections of a web process besides DATABASE_POOL: lookups (4), counters (2), the silence watch (1), the process of the dashboard's pages (11). */
const otherConnections = 18;

/** Checks the server: version, durability, rights, free connections. */
export async function checkServer(): Promise<Finding[]> {
  const [facts] = await queryRows<Facts>(
    db,
    Prisma.sql`
    SELECT current_setting('server_version_num')::int / 10000 AS version,
           pg_is_in_recovery() AS standby,
           clock_timestamp() AS now,
           pg_database_size(current_database()) AS size,
           (SELECT coalesce(array_agg(name::text ORDER BY name), '{}') FROM pg_settings
            WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum') AND setting = 'off') AS off,
           current_setting('max_connections')::int AS max_connections,
           (SELECT count(*)::int FROM pg_stat_activity
            WHERE datid IS NOT NULL AND usesysid IS NOT NULL AND coalesce(backend_type, 'client backend') = 'client backend') AS used,
           (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS superuser,
           has_table_privilege('posting', 'TRUNCATE') AS truncates,
           (SELECT max(age(datfrozenxid)) FROM pg_database) AS wraparound,
           (SELECT coalesce(array_agg(indexrelid::regclass::text), '{}') FROM pg_index WHERE NOT indisvalid) AS invalid`,
  );
  if (!facts) throw new Error("PostgreSQL gave no answer.");
  const { version, now, size, off, max_connections, used, superuser, truncates, wraparound, invalid } = facts;
  const found: Finding[] = [
    version < oldestVersion
      ? problem(`PostgreSQL ${version} is too old`, `Upgrade to ${oldestVersion} or later.`)
      : ok(`PostgreSQL ${version}, ${sizeText(Number(size))}`),
    ...(facts.standby
      ? [
          problem(
            "DATABASE_URL leads to a standby",
            "Use an address that always leads to the primary, such as HAProxy's.",
          ),
        ]
      : []),
    clockFinding("PostgreSQL's", now.getTime() - Date.now()),
    off.length > 0
      ? problem(
          `${off.join(", ")}: off`,
          "Turn them on: without them, acknowledged payments can be lost, or tables keep growing.",
        )
      : ok("Acknowledged writes survive a crash"),
  ];
  const needed = env().DATABASE_POOL + otherConnections;
  if (max_connections - used < needed)
    found.push(
      warning(
        `${used} of ${max_connections} connections are in use; one more process may need ${needed}`,
        "Raise max_connections, or lower DATABASE_POOL.",
      ),
    );
  else found.push(ok(`${used} of ${max_connections} connections are in use`));
  if (superuser || truncates)
    found.push(
      warning(
        "The role that serves requests can delete history",
        "Use two roles: set DATABASE_MIGRATE_URL (docs/operations.md, Two roles).",
      ),
    );
  else found.push(ok("The role that serves requests cannot delete history"));
  if (wraparound > 1_000_000_000)
    found.push(
      problem(
        `${wraparound} transactions since the oldest freeze`,
        "Let autovacuum run: at 2 billion PostgreSQL stops.",
      ),
    );
  if (invalid.length > 0)
    found.push(problem(`Unusable indexes: ${invalid.join(", ")}`, "Run REINDEX INDEX CONCURRENTLY for each."));
  return found;
}

interface Session {
  /** Null: a process of PostgreSQL itself. */
  role: string | null;
  /** Whether `queried_as` may see since when its transaction has been open. */
  visible: boolean | null;
  /** Whether a transaction is open: each one holds a lock on its own id, and every role sees locks. */
  open: boolean;
  name: string;
  /** How long its transaction has been open. */
  seconds: number | null;
  /** The role that sees it so, quoted for SQL. */
  queried_as: string;
}

const longSeconds = 300;

/**
 * Finds a transaction that has been open for long. PostgreSQL shows a role only its own sessions' times, unless it has
 * pg_read_all_stats. So this queries as both roles, and names other roles that have a transaction open.
 */
export async function checkTransactions(owner = env().DATABASE_MIGRATE_URL): Promise<Finding[]> {
  const sessions = await sessionsOf(required("DATABASE_URL"));
  if (owner) sessions.push(...(await sessionsOf(owner).catch(nameSetting("DATABASE_MIGRATE_URL"))));
  const seen = new Set(sessions.flatMap(({ role, visible }) => (visible ? [role] : [])));
  const hidden = new Set(
    sessions.flatMap(({ role, open }) => (role === null || !open || seen.has(role) ? [] : [role])),
  );
  const longest = sessions.toSorted((one, two) => (two.seconds ?? 0) - (one.seconds ?? 0))[0];
  const found: Finding[] = [];
  if (longest?.seconds && longest.seconds > longSeconds)
    found.push(
      warning(
        `A transaction of ${longest.name} has been open for ${ageText(longest.seconds * 1_000)}`,
        "PostgreSQL cannot remove old rows while it is open. End it, unless it is a backup that still runs.",
      ),
    );
  if (hidden.size > 0)
    found.push(
      warning(
        `Transactions of ${[...hidden].join(", ")} are open; it cannot be seen for how long`,
        `As a superuser of PostgreSQL: GRANT pg_read_all_stats TO ${sessions.at(-1)?.queried_as} (docs/operations.md, Two roles).`,
      ),
    );
  return found.length > 0 ? found : [ok(`No transaction has been open for ${ageText(longSeconds * 1_000)}`)];
}

/** The sessions of this database, as the role of an address sees them. */
const sessionsOf = (url: string): Promise<Session[]> =>
  connected(url, async (client) => {
    const { rows } = await client.query<Session>(`
      SELECT usename::text AS role, quote_ident(current_user) AS queried_as,
             pg_has_role('pg_read_all_stats', 'USAGE') OR pg_has_role(usesysid, 'USAGE') AS visible,
             EXISTS (SELECT FROM pg_locks WHERE pg_locks.pid = pg_stat_activity.pid AND virtualxid = virtualtransaction) AS open,
             coalesce(nullif(application_name, ''), usename::text, backend_type) AS name,
             extract(epoch FROM clock_timestamp() - xact_start)::int AS seconds
        FROM pg_stat_activity WHERE datname = current_database()`);
    return rows;
  });

export async function checkMigrations(): Promise<Finding[]> {
  const pending = await pendingMigrations(required("DATABASE_URL"));
  if (pending.length === 0) return [ok("The schema is this version's")];
  const others = await connected(required("DATABASE_URL"), waitedFor);
  const todo =
    others === null
      ? "Start Paydesk once: npm start applies them."
      : `A process is applying them.${others && ` It may have to wait until these transactions have ended: ${others}.`}`;
  return [problem(`Not yet applied: ${pending.join(", ")}`, todo)];
}

const archiveLimitMs = 3_600_000;

/** Two hours more than a day, for backups that are made daily. */
const backupLimitMs = 26 * 3_600_000;

interface Archive {
  mode: string;
  archived: Date | null;
  failed: Date | null;
  standbys: number;
}

/** The last backup of `npm run backup`, the archive of the write-ahead log, and standbys. Paydesk cannot see other dumps. */
export const checkBackups = async (): Promise<Finding[]> => [await lastBackup(), ...(await checkArchive())];

async function lastBackup(): Promise<Finding> {
  const schedule = "Schedule npm run backup (docs/operations.md, Backups), unless the database is dumped otherwise.";
  const [last] = await queryRows<{ started_at: Date; bytes: bigint; encrypted: boolean }>(
    db,
    Prisma.sql`SELECT started_at, bytes, encrypted FROM backup ORDER BY id DESC LIMIT 1`,
  );
  if (!last) return warning("npm run backup has made no backup yet", schedule);
  const ageMs = Date.now() - last.started_at.getTime();
  if (ageMs > backupLimitMs) return warning(`The last backup was made ${ageText(ageMs)} ago`, schedule);
  const how = last.encrypted ? "encrypted" : "not encrypted";
  return ok(`The last backup was made ${ageText(ageMs)} ago: ${sizeText(Number(last.bytes))}, ${how}`);
}

async function checkArchive(): Promise<Finding[]> {
  const [archive] = await queryRows<Archive>(
    db,
    Prisma.sql`
    SELECT current_setting('archive_mode') AS mode, last_archived_time AS archived, last_failed_time AS failed,
           (SELECT count(*)::int FROM pg_stat_replication) AS standbys
    FROM pg_stat_archiver`,
  );
  if (!archive) return [];
  const { mode, archived, failed, standbys } = archive;
  const found = standbys > 0 ? [ok(`Standbys connected: ${standbys}`)] : [];
  if (mode === "off")
    return [
      ...found,
      warning(
        "The write-ahead log is not archived: a restore loses what came after the last dump",
        "Archive it (archive_command), and test a restore (docs/operations.md, Backups).",
      ),
    ];
  if (failed && (!archived || failed > archived))
    return [
      ...found,
      problem(
        `The archive failed ${ageText(Date.now() - failed.getTime())} ago`,
        "See PostgreSQL's log, and fix archive_command.",
      ),
    ];
  const age = archived ? Date.now() - archived.getTime() : Number.POSITIVE_INFINITY;
  return [
    ...found,
    age > archiveLimitMs
      ? warning(
          archived ? `The last segment was archived ${ageText(age)} ago` : "No segment has been archived yet",
          "Set archive_timeout to some minutes.",
        )
      : ok(`The write-ahead log was archived ${ageText(age)} ago`),
  ];
}
