import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { env, required, settingNames } from "@/lib/core/env";
import { createBackup } from "@/server/backup/create";
import { fingerprintOf } from "@/server/backup/manifest";
import { runCommand, UsageError } from "@/server/command";
import { sizeText } from "@/server/doctor/finding";
import { projectRoot } from "@/server/migrate";

const usage = `Usage:
  npm run -s backup [-- --to FOLDER|FILE] [--encrypt] [--with-secret] [--keep N]

Writes a backup of the database while Paydesk runs. Everything that was committed before is in it.

  --to FOLDER|FILE  default: backups in DATA_DIR. A FILE ends with .tar or .tar.age, and must not exist
  --encrypt         with the passphrase of BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE, in the format of age
  --with-secret     also stores APP_SECRET, which restored gateway keys and webhook secrets need. Requires --encrypt
  --keep N          then removes the oldest backups of the folder, so that N remain

Uses the database of DATABASE_MIGRATE_URL or DATABASE_URL, else of DATA_DIR (.data). Exits with 1, and leaves no file, if the backup
could not be completed; with 3 if it is complete, but could not be recorded for the doctor, or older ones could not be removed.`;

const options = {
  to: { type: "string" },
  encrypt: { type: "boolean", default: false },
  "with-secret": { type: "boolean", default: false },
  keep: { type: "string" },
} as const;

const version = (): string => JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")).version;

await runCommand(usage, async () => {
  const { to, encrypt, "with-secret": withSecret, keep } = parseArgs({ options }).values;
  if (withSecret && !encrypt) throw new UsageError("--with-secret requires --encrypt.");
  if (keep !== undefined && !/^[1-9]\d{0,4}$/.test(keep)) throw new UsageError("--keep must be a number from 1.");
  const given = settingNames.filter((name) => process.env[name] || process.env[`${name}_FILE`]);
  return async () => {
    const { BACKUP_PASSPHRASE: passphrase, DATA_DIR, DATABASE_MIGRATE_URL } = env();
    if (encrypt && !passphrase) throw new Error("Set BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE to encrypt.");
    const secret = required("APP_SECRET");
    const { file, bytes, rows, removed, failures } = await createBackup({
      url: DATABASE_MIGRATE_URL ?? required("DATABASE_URL"),
      about: { paydesk: version(), secret: fingerprintOf(secret), settings: given },
      to: resolve(to ?? join(DATA_DIR, "backups")),
      passphrase: encrypt ? (passphrase ?? null) : null,
      secret: withSecret ? secret : null,
      keep: keep === undefined ? null : Number(keep),
    });
    for (const name of removed) console.log(`Removed ${name}`);
    console.log(`${file}: ${rows} rows, ${sizeText(bytes)}${encrypt ? ", encrypted" : ""}`);
    for (const failure of failures) console.error(`The backup is complete. ${failure}`);
    if (failures.length > 0) process.exitCode = 3;
    if (!withSecret) console.log("APP_SECRET is not in it. Keep it elsewhere: a restore needs it.");
  };
});
