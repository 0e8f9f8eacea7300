import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse as parseDatabaseAddress } from "pg-connection-string";
import { z } from "zod";
import { isEmail } from "./email";

const flag = (fallback: "0" | "1") =>
  z
    .enum(["0", "1"], "must be 0 or 1")
    .default(fallback)
    .transform((value) => value === "1");

const count = (fallback: number, max: number, min = 1) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .default(String(fallback))
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);

/** An http or https origin. */
const address = z
  .url({ protocol: /^https?$/, error: "must be an http or https address" })
  .refine(
    (url) => URL.canParse(url) && `${new URL(url).origin}/` === new URL(url).href,
    "must be an address without path, query or user",
  )
  .transform((url) => new URL(url).origin);

/** What security.txt names as the contact (RFC 9116, 2.5.3). */
const securityContact = z
  .string()
  .refine(
    (uri) => (uri.startsWith("mailto:") ? isEmail(uri.slice("mailto:".length)) : /^https:\/\/[\x21-\x7e]+$/.test(uri)),
    "must be a mailto: or https:// address",
  );

/** The mail server, for nodemailer: smtp://user:password@host:port, or smtps:// for implicit TLS. */
const smtpAddress = z
  .string()
  .refine(
    (url) => /^smtps?:\/\/\S+$/.test(url) && URL.canParse(url) && new URL(url).hostname !== "",
    "must be an smtp:// or smtps:// address",
  );

const appSecret = z.string().min(32, "must have at least 32 characters").optional();

const databaseAddress = z.string().superRefine((url, { addIssue }) => {
  try {
    if (!/^postgres(ql)?:\/\/\S+$/.test(url)) throw new Error();
    parseDatabaseAddress(url); // also reads the certificate files that the address names
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    const isFile = syscall !== undefined;
    addIssue(
      isFile
        ? `names a file that cannot be read: ${code}`
        : "must be a postgresql:// address, with special characters of user and password encoded (/ is %2F)",
    );
  }
});

/** The address of a collector of traces, by OpenTelemetry's rules: paths are added to it. */
const collectorAddress = z
  .url({ protocol: /^https?$/, error: "must be an http or https address" })
  .refine((url) => URL.canParse(url) && new URL(url).username === "", "must be an address without user");

const ratio = z
  .string()
  .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, "must be between 0 and 1")
  .default("1")
  .transform(Number);

/** Both loopback addresses (server/listen.ts). */
const thisMachine = "localhost";

const port = z
  .string()
  .regex(/^\d{1,5}$/, "must be a whole number")
  .transform(Number)
  .refine((value) => value >= 1 && value <= 65_535, "must be between 1 and 65535");

/** The default of STRIPE_API_URL, which operators override for a proxy and tests for a fake Stripe. */
export const stripeApi = "https://api.stripe.com";

const logLevels = ["fatal", "error", "warn", "info", "debug", "silent"] as const;

/** A hundred years: for ever. */
const maxRetentionDays = 36_500;

const schema = z
  .object({
    PORT: count(3000, 65_535),
    RUN_AS: z
      .string()
      .regex(/^[a-z_][\w.-]{0,31}$/i, "must be a user's name")
      .optional(),
    HOST: z.string().min(1).default("localhost"),
    DATA_DIR: z
      .string()
      .min(1)
      .default(".data")
      .transform((path) => resolve(path)),
    DATABASE_URL: databaseAddress.optional(),
    DATABASE_URL_DIRECT: databaseAddress.optional(),
    DATABASE_MIGRATE_URL: databaseAddress.optional(),
    DATABASE_POOL: count(20, 1_000),
    APP_URL: address.optional(),
    APP_SECRET: appSecret,
    APP_SECRET_PREVIOUS: appSecret,
    BACKUP_PASSPHRASE: z.string().min(12, "must have at least 12 characters").optional(),
    DEMO: z.enum(["0", "1", "empty"], "must be 0, 1 or empty").default("1"),
    LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(", ")}`).default("info"),
    RATE_LIMIT_PER_MINUTE: count(300, 10_000_000),
    WRITES_PER_MONTH: count(100_000, 999_999_999),
    LINK_ATTEMPTS_PER_MINUTE: count(6, 1_000_000),
    LINK_ATTEMPTS_PER_HOUR: count(20, 1_000_000),
    ADDRESS_DECLINES_PER_MINUTE: count(6, 1_000_000),
    ADDRESS_DECLINES_PER_HOUR: count(20, 1_000_000),
    ADDRESS_FAILURES_PER_MINUTE: count(60, 1_000_000),
    DRAIN_SECONDS: count(5, 14, 0),
    MAX_POLL_MS: count(5_000, 5_000),
    RETENTION_REQUESTS_DAYS: count(7, maxRetentionDays, 7),
    RETENTION_ATTEMPTS_DAYS: count(30, maxRetentionDays, 30),
    RETENTION_DELIVERIES_DAYS: count(maxRetentionDays, maxRetentionDays, 90),
    RETENTION_MAILS_DAYS: count(maxRetentionDays, maxRetentionDays, 400),
    TRUST_PROXY: flag("0"),
    HSTS_SUBDOMAINS: flag("0"),
    SECURITY_CONTACT: securityContact.optional(),
    SESSION_IDLE_MINUTES: count(30, 720),
    LOCKOUT_ATTEMPTS: count(10, 10),
    LOCKOUT_MINUTES: count(30, 1_440),
    PASSWORD_HISTORY: count(4, 24),
    REGISTRATION: z.enum(["open", "closed"], "must be open or closed").optional(),
    STRIPE_API_URL: address.default(stripeApi),
    WEBHOOKS_ALLOW_LOCALHOST: z.enum(["0", "1"], "must be 0 or 1").optional(),
    SMTP_URL: smtpAddress.optional(),
    MAILS_PER_DAY: count(200, 100_000_000),
    MAILS_PER_RECIPIENT_PER_DAY: count(20, 1_000_000),
    MAIL_WITHOUT_GATEWAY: flag("0"),
    MAIL_FROM: z.string().refine(isEmail, "must be an e-mail address").optional(),
    METRICS_PORT: port.optional(),
    METRICS_HOST: z.string().min(1).default(thisMachine),
    OTEL_EXPORTER_OTLP_ENDPOINT: collectorAddress.optional(),
    OTEL_EXPORTER_OTLP_HEADERS: z.string().min(1).optional(),
    OTEL_TRACES_SAMPLER_ARG: ratio,
  })
  .refine(({ PORT, METRICS_PORT }) => PORT !== METRICS_PORT, {
    path: ["METRICS_PORT"],
    error: "must be another port than PORT",
  })
  .refine(({ SMTP_URL, MAIL_FROM }) => !SMTP_URL || MAIL_FROM, {
    path: ["MAIL_FROM"],
    error: "must be set where SMTP_URL is: the address that mails are sent from",
  })
  .refine(({ DATABASE_URL, DATABASE_URL_DIRECT: direct }) => !direct || (DATABASE_URL && DATABASE_URL !== direct), {
    path: ["DATABASE_URL_DIRECT"],
    error: "must be another address of the database at DATABASE_URL: the one without the pooler",
  })
  .transform((env) => ({ ...env, APP_URL: env.APP_URL ?? `http://localhost:${env.PORT}` }))
  // A default for people at this machine alone: strangers may neither register, nor send webhooks to its services.
  .transform((env) => {
    const local = isLoopback(env.HOST) && isLoopback(new URL(env.APP_URL).hostname);
    return {
      ...env,
      WEBHOOKS_ALLOW_LOCALHOST: (env.WEBHOOKS_ALLOW_LOCALHOST ?? (local ? "1" : "0")) === "1",
      REGISTRATION: env.REGISTRATION ?? (local ? ("open" as const) : ("closed" as const)),
    };
  });

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1|\[::1\])$/.test(host);

/** The names of all settings. The schema is the object below both transforms. */
export const settingNames: string[] = Object.keys(schema.in.in.shape);

export type Env = z.output<typeof schema>;

/** Settings that are secret. Each can be read from a file instead: NAME_FILE is the file's path. */
export const secretSettings = [
  "APP_SECRET",
  "APP_SECRET_PREVIOUS",
  "BACKUP_PASSPHRASE",
  "DATABASE_URL",
  "DATABASE_URL_DIRECT",
  "DATABASE_MIGRATE_URL",
  "SMTP_URL",
  "OTEL_EXPORTER_OTLP_HEADERS",
] as const;

type Source = Record<string, string | undefined>;

const fileSetting = (name: string) => `${name}_FILE`;

/** A secret, or what the file that NAME_FILE names has. @throws Error that names the variable, without a value */
export function readSecret(source: Source, name: string): string | undefined {
  const file = source[fileSetting(name)];
  if (!file) return source[name] || undefined;
  if (source[name]) throw new Error(`${fileSetting(name)} must not be set beside ${name}`);
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch (error) {
    throw new Error(`${fileSetting(name)} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/**
 * Parses the configuration.
 * @throws Error naming every bad variable and its rule, without the values, which may be secrets
 */
export function parseEnv(source: Source): Env {
  // An empty variable counts as unset, as in shell scripts.
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const lines: string[] = [];
  for (const name of secretSettings)
    try {
      given[name] = readSecret(source, name);
    } catch (error) {
      lines.push(`  ${(error as Error).message}`);
    }
  const result = schema.safeParse(given);
  if (result.success && lines.length === 0) return result.data;
  for (const { path, message } of result.error?.issues ?? []) lines.push(`  ${path.join(".")} ${message}`);
  throw new Error(`The configuration is not usable:\n${lines.join("\n")}`);
}

/** Puts secrets that were read from files into the environment, where next-auth and child processes read them. */
export function exportSecrets(to: Source, from: Env): void {
  for (const name of secretSettings) {
    if (from[name]) to[name] = from[name];
    delete to[fileSetting(name)];
  }
}

/** Lets a process connect to this address, past a pooler. */
export function bypassPooler(to: Source, url: string): void {
  to.DATABASE_URL = url;
  delete to.DATABASE_URL_DIRECT;
}

let parsed: Env | undefined;

export function env(): Env {
  parsed ??= parseEnv(process.env);
  return parsed;
}

/** A poll interval in milliseconds: `seconds`, but at most MAX_POLL_MS, which tests set low. */
export const pollMs = (seconds: number): number => Math.min(seconds * 1_000, env().MAX_POLL_MS);

/** A setting that the start fills in if the operator did not (the embedded database's address, the generated secret). */
export function required(name: "DATABASE_URL" | "APP_SECRET"): string {
  const value = env()[name];
  if (!value) throw new Error(`${name} is missing. Start Paydesk with npm start, or set ${name}.`);
  return value;
}

/** APP_SECRET, then the one before it if it is still read (docs/operations.md). */
export const appSecrets = (): [current: string, ...previous: string[]] => {
  const { APP_SECRET_PREVIOUS: previous } = env();
  return previous ? [required("APP_SECRET"), previous] : [required("APP_SECRET")];
};
