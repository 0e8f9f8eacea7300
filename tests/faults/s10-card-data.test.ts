import { afterAll, beforeAll } from "vitest";
import { db } from "@/lib/core/db";
import { disconnect } from "@/lib/core/disconnect";
import { testCards } from "@/lib/gateways/sandbox/cards";
import { startTestPostgres } from "@/scripts/test-postgres.mjs";
import { createMerchant } from "@/tests/support/factory";
import { asOwner, dataDirectory } from "@/tests/support/postgres";
import { type Canary, everyFlow } from "./card-flows";
import { CardTraces, filesBelow, unusedCodes } from "./card-traces";
import { fault, full, type Outcome } from "./fault";
import { type Rig, startRig } from "./rig";
import { between, random, shuffle } from "./seeded";

let rig: Rig;
let logged = "";
let stopPostgres: () => Promise<void>;
beforeAll(async () => {
  // A PostgreSQL of its own: the test searches its files, and other tests write to the shared one's.
  delete process.env.TEST_POSTGRES;
  stopPostgres = await startTestPostgres();
  rig = await startRig({ LOG_LEVEL: "debug" }, (text) => {
    logged += text;
  });
});
afterAll(async () => {
  await rig?.stop();
  await disconnect();
  await stopPostgres?.();
});

/** A number with this prefix and a valid check digit. */
function cardNumber(beginning: string, length: number, next: () => number): string {
  let digits = beginning;
  while (digits.length < length - 1) digits += between(next, 0, 9);
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const doubled = Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 2 : 1);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const amex = "378282246310005";

/** The cards of npm test: paid, four-digit code, declined, 3-D Secure, lost reply, refused refund. */
const few = new Set([
  "4242424242424242",
  amex,
  "4000000000000002",
  "4000000000003220",
  "4000000000005001",
  "4000002760003184",
  "4000000000005092",
]);

/** @param verbose prints the matches, for debugging */
async function run(verbose: boolean): Promise<Outcome> {
  const next = random();
  await asOwner("CHECKPOINT");
  const places = [rig.dataDir, await dataDirectory()];
  // Four-digit codes like American Express's, because three digits occur everywhere. Below 4000, because the
  // milliseconds of the slow card's requests start there.
  const candidates = shuffle(
    Array.from({ length: 3_999 }, (_, i) => String(6_001 + i)),
    next,
  ).slice(0, 50);
  const canary: Canary = {
    visa: cardNumber("453957", 16, next),
    amex: cardNumber("371449", 15, next),
    codes: unusedCodes(places, candidates, 3),
  };
  const known = testCards.map(({ number }) => number).filter((number) => full || few.has(number));
  const numbers = [canary.visa, canary.amex, ...known];
  const traces = new CardTraces(numbers, canary.codes);

  logged = "";
  const merchant = await createMerchant();
  await everyFlow(merchant, canary, [...known, amex, amex]);
  if (!logged.includes('"route":"/pay"')) throw new Error("the server's log was not read");

  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT oid::regclass::text AS name FROM pg_class
     WHERE relnamespace::regnamespace::text IN ('public', 'graphile_worker') AND relkind IN ('r', 'p') AND NOT relispartition`;
  let rows = 0;
  const inTables: string[] = [];
  for (const { name } of tables) {
    const found = await db.$queryRawUnsafe<{ row: string }[]>(`SELECT t::text AS row FROM ${name} t`);
    rows += found.length;
    for (const { row } of found)
      for (const what of traces.in(Buffer.from(row))) inTables.push(`${name}: ${what}: ${row}`);
  }

  await asOwner("CHECKPOINT");
  let bytes = 0;
  const inFiles: string[] = [];
  for (const [path, content] of filesBelow(places)) {
    bytes += content.length;
    for (const what of traces.in(content)) inFiles.push(`${path}: ${what}`);
  }
  const lines = logged.split("\n");
  const inLog = lines.filter((line) => traces.in(Buffer.from(line)).length > 0);
  if (verbose) for (const trace of [...inTables, ...inFiles, ...inLog].slice(0, 20)) console.error(trace);

  const where = { business_id: merchant.businessId };
  const effects = await Promise.all([
    db.payment.count({ where }),
    db.payment.count({ where: { ...where, status: "succeeded" } }),
    db.tokenization.count({ where: { ...where, status: "active" } }),
    db.refund.count({ where }),
  ]);
  const [attempts, paid, saved, refunds] = effects;
  // Without enough flows, an empty search proves nothing.
  if (effects.some((count) => count < 3)) throw new Error(`too little was done: ${effects}`);
  const done =
    `${known.length} test cards and 2 others: ${attempts} attempts, ${paid} paid, ${saved} saved, ${refunds} refunds; ` +
    `${tables.length} tables with ${rows.toLocaleString("en")} rows, ${Math.round(bytes / 1e6)} MB of files, ` +
    `${lines.length.toLocaleString("en")} lines of log`;
  return {
    done,
    wrong: {
      "traces in tables": inTables.length,
      "traces in files": inFiles.length,
      "lines of log with traces": inLog.length,
    },
  };
}

fault({
  id: "S10",
  title: "card data is stored nowhere",
  minutes: 5,
  run: () => run(true),
  control: {
    without: "the rule: the form is logged, the charge stores the card",
    mutations: [
      {
        file: "app/(public)/pay/route.ts",
        find: 'if (form.get("action") === "cancel") {',
        replace: 'log.info({ sent: form.toString() }, "form"); if (form.get("action") === "cancel") {',
      },
      {
        file: "lib/gateways/sandbox/driver.ts",
        find: "const money = { gatewayKey, amountCents, currency, merchant, returnPath };",
        replace:
          "const money = { gatewayKey, amountCents, currency, returnPath, merchant: JSON.stringify([merchant, request.card]) };",
      },
    ],
    finds: ["traces in tables", "traces in files", "lines of log with traces"],
    run: async (mutations) => {
      await rig.weaken("s10", mutations);
      return run(false);
    },
  },
});
