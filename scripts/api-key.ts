import { parseArgs } from "node:util";
import { createKeyByCommand, listApiKeys, revokeKeyByCommand } from "@/lib/auth/keys";
import { withDatabase } from "@/server/with-database";

const usage = `Usage:
  npm run -s api-key -- create --business 1 --mode test|live --name NAME [--scope read --scope payment_links:write] [--expires 2027-01-31]
  npm run -s api-key -- list   --business 1
  npm run -s api-key -- revoke --business 1 --id KEY_ID

Uses the database of DATABASE_URL, else of DATA_DIR (.data), whether Paydesk is running or not.`;

class UsageError extends Error {}

const { values, positionals } = read();

function read() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        business: { type: "string" },
        mode: { type: "string" },
        name: { type: "string" },
        scope: { type: "string", multiple: true },
        expires: { type: "string" },
        id: { type: "string" },
      },
    });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function fail(message: string): never {
  console.error(`${message}\n\n${usage}`);
  process.exit(2);
}

function requiredOption(name: "business" | "mode" | "name" | "id"): string {
  const value = values[name];
  if (!value) throw new UsageError(`--${name} is missing.`);
  return value;
}

function businessId(): number {
  const given = requiredOption("business");
  const id = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (!Number.isInteger(id) || id < 1 || id > 2_147_483_647)
    throw new UsageError("--business must be a business's number.");
  return id;
}

function livemode(): boolean {
  const mode = requiredOption("mode");
  if (mode !== "test" && mode !== "live") throw new UsageError("--mode must be test or live.");
  return mode === "live";
}

/** A name must be one line: `list` prints one key per line. */
function keyName(): string {
  const name = requiredOption("name");
  if (/\p{Cc}/u.test(name) || name.length > 100)
    throw new UsageError("--name must be one line of at most 100 characters.");
  return name;
}

function expiresAt(): Date | null {
  if (!values.expires) return null;
  const date = new Date(values.expires);
  if (Number.isNaN(date.getTime()) || date <= new Date())
    throw new UsageError("--expires must be a date in the future.");
  return date;
}

// Checks the arguments before it connects to the database.
const commands: Record<string, () => () => Promise<void>> = {
  create: () => {
    const input = {
      businessId: businessId(),
      livemode: livemode(),
      name: keyName(),
      scopes: values.scope,
      expiresAt: expiresAt(),
    };
    return async () => console.log(await createKeyByCommand(input));
  },
  list: () => {
    const business = businessId();
    return async () => {
      for (const key of await listApiKeys(business)) {
        const state = key.revoked_at
          ? "revoked"
          : key.expires_at && key.expires_at <= new Date()
            ? "expired"
            : "active";
        const used = key.last_used_at?.toISOString() ?? "never used";
        console.log(
          [key.id, key.livemode ? "live" : "test", key.hint, state, key.scopes.join(","), used, key.name].join("\t"),
        );
      }
    };
  },
  revoke: () => {
    const business = businessId();
    const id = requiredOption("id");
    return async () => {
      if (!(await revokeKeyByCommand(business, id))) throw new Error(`Business ${business} has no usable key ${id}.`);
      console.error("Revoked.");
    };
  },
};

const command = commands[positionals[0] ?? ""];
if (!command || positionals.length > 1)
  fail(positionals[0] ? `Unknown command: ${positionals.join(" ")}` : "Which command?");
try {
  const work = command();
  await withDatabase(work);
} catch (error) {
  if (error instanceof UsageError) fail(error.message);
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
