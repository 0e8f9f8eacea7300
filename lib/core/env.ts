import { resolve } from "node:path";
import { z } from "zod";
import { isEmail } from "./email";

const flag = (fallback: "0" | "1") =>
  z
    .enum(["0", "1"], "must be 0 or 1")
    .default(fallback)
    .transform((value) => value === "1");

const count = (fallback: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .default(String(fallback))
    .transform(Number)
    .refine((value) => value >= 1 && value <= max, `must be between 1 and ${max}`);

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

/** The default of STRIPE_API_URL, which operators override for a proxy and tests for a fake Stripe. */
export const stripeApi = "https://api.stripe.com";

const logLevels = ["fatal", "error", "warn", "info", "debug", "silent"] as const;

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
    DATABASE_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\/\S+$/, "must be a postgresql:// address")
      .optional(),
    DATABASE_MIGRATE_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\/\S+$/, "must be a postgresql:// address")
      .optional(),
    DATABASE_POOL: count(20, 1_000),
    APP_URL: address.optional(),
    APP_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
    DEMO: z.enum(["0", "1", "empty"], "must be 0, 1 or empty").default("1"),
    LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(", ")}`).default("info"),
    RATE_LIMIT_PER_MINUTE: count(300, 10_000_000),
    WRITES_PER_MONTH: count(100_000, 999_999_999),
    LINK_ATTEMPTS_PER_MINUTE: count(6, 1_000_000),
    LINK_ATTEMPTS_PER_HOUR: count(20, 1_000_000),
    ADDRESS_DECLINES_PER_MINUTE: count(6, 1_000_000),
    ADDRESS_DECLINES_PER_HOUR: count(20, 1_000_000),
    ADDRESS_FAILURES_PER_MINUTE: count(60, 1_000_000),
    MAX_POLL_MS: count(5_000, 5_000),
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
  })
  .refine(({ SMTP_URL, MAIL_FROM }) => !SMTP_URL || MAIL_FROM, {
    path: ["MAIL_FROM"],
    error: "must be set where SMTP_URL is: the address that mails are sent from",
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

export type Env = z.output<typeof schema>;

/**
 * Parses the configuration.
 * @throws Error naming every bad variable and its rule, without the values, which may be secrets
 */
export function parseEnv(source: Record<string, string | undefined>): Env {
  // An empty variable counts as unset, as in shell scripts.
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => `  ${issue.path.join(".")} ${issue.message}`);
  throw new Error(`The configuration is not usable:\n${lines.join("\n")}`);
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
