import { parseArgs } from "node:util";
import { databaseErrorText, unreachable } from "@/lib/core/database-error";
import { type Env, parseEnv, required } from "@/lib/core/env";
import { runCommand } from "@/server/command";
import { checkBackups, checkMigrations, checkServer, checkTransactions } from "@/server/doctor/database";
import { type Check, type Finding, problem, reasonOf } from "@/server/doctor/finding";
import { checkAddress, checkClock, checkDisk, checkMail, checkProxy, checkSecrets } from "@/server/doctor/installation";
import { checkPartitions } from "@/server/doctor/partitions";
import { checkPooler } from "@/server/doctor/pooler";
import { checkGateways, checkMoney, checkWebhooks, checkWorker } from "@/server/doctor/work";
import { keepPartitions } from "@/server/partitions";

const usage = `Usage: npm run -s doctor [-- --json] [-- --repair]

Checks this installation with the settings of its server, and says for each finding what to do. Changes nothing, unless --repair is
given: then it first makes the partitions of the months ahead and drops those past their retention. Exits with 1 if there is a problem;
warnings alone exit with 0.`;

/** @param given the settings; this process itself goes past a pooler */
const checksOf = (given: Env): [about: string, check: Check][] => [
  ["address", checkAddress],
  ["proxy", checkProxy],
  ["clock", checkClock],
  ["mail", checkMail],
  ["disk", () => checkDisk(given.DATABASE_URL)],
  ["secrets", checkSecrets],
  ["database", checkServer],
  ["database", checkTransactions],
  ["schema", checkMigrations],
  ["months", checkPartitions],
  [
    "pooler",
    () =>
      checkPooler({
        url: given.DATABASE_URL ?? required("DATABASE_URL"),
        direct: given.DATABASE_URL_DIRECT,
        owner: given.DATABASE_MIGRATE_URL,
      }),
  ],
  ["backups", checkBackups],
  ["worker", checkWorker],
  ["webhooks", checkWebhooks],
  ["gateways", checkGateways],
  ["money", checkMoney],
];

async function examine(about: string, check: Check): Promise<(Finding & { about: string })[]> {
  const found = await check().catch((error: unknown) => {
    const text = databaseErrorText(error) ?? reasonOf(error);
    if (text === unreachable) throw error;
    return [problem(`Could not be checked: ${text}`, "Fix the error above, then run this command again.")];
  });
  return found.map((finding) => ({ about, ...finding }));
}

const marks = { ok: "ok", warning: "WARNING", problem: "PROBLEM" };

await runCommand(usage, async () => {
  const { json, repair } = parseArgs({ options: { json: { type: "boolean" }, repair: { type: "boolean" } } }).values;
  const checks = checksOf(parseEnv(process.env));
  return async () => {
    for (const failure of repair ? await keepPartitions() : []) console.error(`Could not repair ${failure}`);
    const all: Finding[] = [];
    for (const [about, check] of checks)
      for (const finding of await examine(about, check)) {
        all.push(finding);
        const { state, says, todo } = finding;
        if (json) console.log(JSON.stringify(finding));
        else
          console.log(`${marks[state].padEnd(8)}${about.padEnd(10)}${says}${todo ? `\n${" ".repeat(18)}${todo}` : ""}`);
      }
    if (all.some(({ state }) => state === "problem")) process.exitCode = 1;
  };
});
