import { existsSync } from "node:fs";
import { Client, type Connection, type Submittable } from "pg";
import { expect, it } from "vitest";
import { createDatabase } from "@/tests/support/postgres";
import { findStatements } from "@/tests/support/sql/statements";

/** Statements whose text is only known at run time, and the test that runs them. No other statement may be listed. */
const knownAtRuntime: Record<string, { reason: string; test: string }> = {
  "lib/resources/define.ts: defineResource": { reason: "A definition makes it.", test: "tests/api/statements.test.ts" },
  "lib/http/list.ts: listRows": { reason: "A definition makes it.", test: "tests/api/statements.test.ts" },
  "lib/core/bounded-pool.ts: #boundLocks": {
    reason: "SET cannot be prepared.",
    test: "tests/faults/r12-exhausted.test.ts",
  },
  "lib/core/db.ts: openTransaction": {
    reason: "BEGIN, with a SET behind a pooler.",
    test: "tests/servers/pgbouncer.test.ts",
  },
  "server/role-limits.ts: setDefaults": {
    reason: "It names a role and a database.",
    test: "tests/servers/pgbouncer.test.ts",
  },
  "lib/core/limited-client.ts: #connectLimited": {
    reason: "SET cannot be prepared.",
    test: "tests/servers/doctor.test.ts",
  },
  "lib/core/pipeline.ts: send": { reason: "Its callers' statements.", test: "tests/api/pipeline.test.ts" },
  "lib/http/list.ts: count": { reason: "A definition makes it.", test: "tests/api/statements.test.ts" },
  "lib/outbox/record.ts: createRecorded": {
    reason: "A definition makes its INSERT.",
    test: "tests/api/events.test.ts",
  },
  "lib/ledger/read-all.ts: readAll": {
    reason: "Its callers have the statements.",
    test: "tests/servers/books.test.ts",
  },
  "lib/ledger/books.ts: checkBooks": {
    reason: "The same checks, for one business.",
    test: "tests/faults/r20-money-model.test.ts",
  },
  "server/backup/archive.ts: beginSnapshot": {
    reason: "Its tables are the schema's.",
    test: "tests/servers/backup.test.ts",
  },
  "server/backup/archive.ts: #parts": { reason: "Its tables are the schema's.", test: "tests/servers/backup.test.ts" },
  "server/backup/copy.ts: submit": { reason: "Its callers' statements.", test: "tests/servers/backup.test.ts" },
  "server/backup/copy.ts: copyIn": { reason: "Its callers' statements.", test: "tests/servers/backup.test.ts" },
  "server/backup/load.ts: loadArchive": {
    reason: "Its tables are the backup's.",
    test: "tests/servers/backup.test.ts",
  },
  "server/backup/load.ts: createPartitions": {
    reason: "Its tables are the backup's.",
    test: "tests/servers/backup.test.ts",
  },
  "server/backup/load.ts: boundOldDeliveries": {
    reason: "Its rule and partition are the backup's.",
    test: "tests/servers/partition-deliveries.test.ts",
  },
  "server/backup/load.ts: withoutConstraints": {
    reason: "PostgreSQL makes them.",
    test: "tests/servers/backup.test.ts",
  },
  "server/backup/load.ts: dropEverything": { reason: "PostgreSQL makes them.", test: "tests/servers/backup.test.ts" },
  "server/grants.ts: grantTo": { reason: "Its tables are the schema's.", test: "tests/api/grants.test.ts" },
  "server/partitions.ts: dropExpired": { reason: "It names partitions.", test: "tests/servers/partitions.test.ts" },
  "server/partitions.ts: makeMonths": { reason: "It names months.", test: "tests/servers/partitions.test.ts" },
  "server/partitions.ts: together": { reason: "It names months.", test: "tests/servers/partitions.test.ts" },
  "server/postgres.ts: createDatabase": {
    reason: "It creates what is missing.",
    test: "tests/servers/embedded-postgres.test.ts",
  },
  "server/migrate.ts: apply": { reason: "It is a migration's file.", test: "tests/api/migrate.test.ts" },
};

/**
 * Files whose templates are only used at run time. Definitions: tests/api/statements.test.ts runs each filter, page and
 * total. `inserted` and `assigned`: the evaluator reads their columns from the types of the callers' values.
 */
const ofDefinitions =
  /^lib\/(core\/db|resources\/define|http\/list(-streams|-filters)?|resources\/[\w-]+\/([\w-]+-)?resource)\.ts\b/;

/** PostgreSQL parses a statement without running it. Resolves with the error's message, or null. */
const parse = (client: Client, text: string) =>
  new Promise<string | null>((resolve) => {
    let failure: string | null = null;
    const parsing: Submittable & Record<string, unknown> = {
      submit(connection: Connection) {
        connection.parse({ name: "", text, types: [] }, true);
        connection.sync();
      },
      handleError: (error: Error) => {
        failure = error.message;
        resolve(failure);
      },
      handleReadyForQuery: () => resolve(failure),
    };
    client.query(parsing);
  });

/** These run as the owner of the tables. */
const byOwner = /^server\/(prune|partitions|grants|migrate|postgres[\w-]*|backup\/\w+)\.ts\b/;

/** Plans a statement that writes or locks for the role that serves requests, which checks its rights. Resolves with the refusal, or null. */
async function refusal(client: Client, text: string): Promise<string | null> {
  if (!/^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/i.test(text) || !/INSERT|UPDATE|DELETE|FOR SHARE/.test(text))
    return null;
  const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  const nulls = count > 0 ? `(${Array(count).fill("NULL").join(", ")})` : "";
  try {
    await client.query(`DEALLOCATE ALL; PREPARE planned AS ${text}; EXPLAIN EXECUTE planned${nulls}`);
    return null;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return code === "42501" ? message : null;
  }
}

it("PostgreSQL prepares every statement of the sources, and the application's role may run it", async () => {
  const { statements, unreached } = await findStatements();
  expect(statements.length).toBeGreaterThan(150);
  const unresolved = statements.flatMap(({ place, unresolved: parts }) => parts.map((part) => ({ place, part })));
  expect([...new Set(unresolved.map(({ place }) => place))].toSorted(), JSON.stringify(unresolved)).toEqual(
    Object.keys(knownAtRuntime).toSorted(),
  );
  expect(Object.values(knownAtRuntime).filter(({ test }) => !existsSync(test))).toEqual([]);
  expect(statements.filter(({ texts, unresolved }) => texts.length + unresolved.length === 0)).toEqual([]);
  expect(unreached.filter((place) => !ofDefinitions.test(place) && !(place in knownAtRuntime))).toEqual([]);

  const client = new Client({ connectionString: await createDatabase() });
  await client.connect();
  const failures: { place: string; failure: string; text: string }[] = [];
  // Several places send the same statement.
  const known = new Map<string, string | null>();
  const check = async (text: string, isByOwner: boolean) => {
    const key = `${isByOwner} ${text}`;
    const failure = known.has(key)
      ? known.get(key)
      : ((await parse(client, text)) ?? (isByOwner ? null : await refusal(client, text)));
    known.set(key, failure ?? null);
    return failure ?? null;
  };
  for (const { place, texts } of statements)
    for (const text of texts) {
      const failure = await check(text, byOwner.test(place));
      if (failure !== null) failures.push({ place, failure, text });
    }
  await client.end();
  expect(failures).toEqual([]);
});
