import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { env, parseEnv, required, settingNames } from "@/lib/core/env";
import { storedSecret, storeSecret } from "@/server/app-secret";
import { fingerprintOf } from "@/server/backup/manifest";
import { type Archive, openArchive } from "@/server/backup/read";
import { analyze, restoreDatabase, UnknownOutcomeError } from "@/server/backup/restore";
import { runCommand, UsageError } from "@/server/command";
import { reasonOf } from "@/server/doctor/finding";
import { grantRights } from "@/server/grants";

const usage = `Usage:
  npm run -s restore -- FILE [--replace] [--other-secret]
  npm run -s restore -- --release

Restores a backup of npm run backup into an empty database, and compares its books with the gateways. Stop Paydesk first.
An encrypted backup needs BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE.

  --replace       deletes everything that the database has
  --other-secret  accepts that APP_SECRET is not the backup's: gateway keys and webhook secrets then cannot be read
  --release       lets workers bill, send mails and deliver webhooks again. Until then a restored database is held

Uses the database of DATABASE_MIGRATE_URL or DATABASE_URL, else of DATA_DIR (.data). Exits with 1 if nothing was restored, with 3 if
the backup was restored, but the books differ, tables that are not Paydesk's were left out, or a later step failed. Exits with 4 if the
connection was lost when it was almost done, so that it is unknown whether the backup was restored.`;

const options = {
  replace: { type: "boolean", default: false },
  "other-secret": { type: "boolean", default: false },
  release: { type: "boolean", default: false },
} as const;

const dayMs = 86_400_000;

/** The APP_SECRET of the restored installation. @throws Error when there is none, or another one than the backup's */
function secretFor({ manifest, secret }: Archive, acceptOther: boolean): string {
  const { APP_SECRET, APP_SECRET_PREVIOUS, DATA_DIR } = parseEnv(process.env);
  const ours = APP_SECRET ?? storedSecret(DATA_DIR);
  if (ours === null && secret !== null) return secret;
  if (ours === null) throw new Error("Set APP_SECRET to the one of the server that was backed up.");
  const isKnown = [ours, APP_SECRET_PREVIOUS].some((one) => one && fingerprintOf(one) === manifest.secret);
  if (!isKnown && !acceptOther)
    throw new Error(
      "APP_SECRET is not that of the server that was backed up: gateway keys and webhook secrets could not be read. " +
        "Set the right one, or add --other-secret if it is lost.",
    );
  return ours;
}

/** Runs a step after the restore. If the step fails, prints what the operator has to do, and returns so that the next one runs. */
async function follow(what: string, todo: string, run: () => unknown): Promise<void> {
  try {
    await run();
  } catch (error) {
    process.exitCode = 3;
    console.error(`The backup is restored, but ${what} failed: ${reasonOf(error)}\n  ${todo}`);
  }
}

async function restore(archive: Archive, replace: boolean, given: string[]): Promise<void> {
  const { DATA_DIR, DATABASE_MIGRATE_URL } = env();
  const { manifest } = archive;
  const ownerUrl = DATABASE_MIGRATE_URL ?? required("DATABASE_URL");
  const restored = await restoreDatabase(archive, { ownerUrl, replace }).catch((error: unknown) => {
    if (!(error instanceof UnknownOutcomeError)) throw error;
    process.exitCode = 4;
    console.error(error.message);
  });
  if (!restored) return;
  const { migrated, foreign } = restored;
  console.log(`Restored the backup of ${manifest.created_at}.`);
  if (migrated.length > 0) console.log(`Migrated it forward: ${migrated.join(", ")}`);
  if (foreign.length > 0) {
    process.exitCode = 3;
    console.error(`Left out, because they are no tables of Paydesk: ${foreign.join(", ")}`);
  }
  // First what cannot be found again.
  if (!given.includes("APP_SECRET") && storedSecret(DATA_DIR) === null)
    await follow("storing its APP_SECRET", `Make ${DATA_DIR} writable, then restore again with --replace.`, () => {
      storeSecret(DATA_DIR, required("APP_SECRET"));
      console.log(`Stored its APP_SECRET in ${DATA_DIR}/secret.`);
    });
  const grantTodo = "Check DATABASE_URL. The next start of Paydesk with DATABASE_MIGRATE_URL grants them.";
  await follow("granting the roles' rights", grantTodo, () => grantRights(ownerUrl, required("DATABASE_URL")));
  await follow("updating the planner's statistics", "Run ANALYZE in the database; until then it is slow.", () =>
    analyze(ownerUrl),
  );
  const lacking = manifest.settings.filter((name) => !given.includes(name) && name !== "BACKUP_PASSPHRASE");
  if (lacking.length > 0) console.log(`The server that was backed up also had these settings: ${lacking.join(", ")}`);
  const days = Math.max(1, Math.ceil((Date.now() - Date.parse(manifest.created_at)) / dayMs));
  const booksTodo = `Run npm run -s books -- --ask-gateways ${days} before you release the database.`;
  await follow("checking the books", booksTodo, async () => {
    const { reportBooks } = await import("@/server/books-report"); // with the gateways, which a refused restore need not load
    if (!(await reportBooks(days, false)).isBalanced) process.exitCode = 3;
  });
  console.log(
    "\nThe database is held: no worker bills, sends mails or delivers webhooks. Start Paydesk, go through docs/operations.md,\n" +
      "After a restore, then run npm run -s restore -- --release.",
  );
}

async function release(): Promise<void> {
  const { releaseHold } = await import("@/server/hold");
  const count = await releaseHold();
  console.log(count > 0 ? "Released: workers begin within seconds." : "The database is not held.");
}

await runCommand(
  usage,
  async () => {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const { replace, "other-secret": acceptOther } = values;
    const [file, ...others] = positionals;
    if (values.release) {
      if (file || replace || acceptOther) throw new UsageError("--release takes no file and no other option.");
      return release;
    }
    if (!file || others.length > 0) throw new UsageError("Name one backup file.");
    const given = settingNames.filter((name) => process.env[name] || process.env[`${name}_FILE`]);
    // Reads the whole file before anything is created or changed.
    const archive = await openArchive(resolve(file), parseEnv(process.env).BACKUP_PASSPHRASE ?? null);
    const secret = secretFor(archive, acceptOther);
    process.env.APP_SECRET = secret;
    delete process.env.APP_SECRET_FILE;
    return () => restore(archive, replace, given);
  },
  { creates: !process.argv.includes("--release") },
);
