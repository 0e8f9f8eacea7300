import { resolve } from "node:path";
import { z } from "zod";
import { isEmail } from "./email";

const flag = (fallback: "0" | "1") =>
  z
    .enum(["0", "1"], "must be 0 or 1")
    .default(fallback)
    .transform((value) => value === "1");

const count = (fallback: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .default(String(fallback))
    .transform(Number)
    .refine((value) => value >= 1 && value <= most, `must lie between 1 and ${most}`);

/** An http or https address of a whole site. */
const address = z
  .url({ protocol: /^https?$/, error: "must be an http or https address" })
  .refine(
    (url) => URL.canParse(url) && `${new URL(url).origin}/` === new URL(url).href,
    "must be an address without path, query or user",
  )
  .transform((url) => new URL(url).origin);

/** The mail server as nodemailer takes it: smtp://user:password@host:port, smtps:// for TLS from the beginning. */
const smtpAddress = z
  .string()
  .refine(
    (url) => /^smtps?:\/\/\S+$/.test(url) && URL.canParse(url) && new URL(url).hostname !== "",
    "must be an smtp:// or smtps:// address",
  );

/** Where Stripe is, unless the operator says otherwise (a proxy, a stand-in for tests). */
export const stripeApi = "https://api.stripe.com";

const logLevels = ["fatal", "error", "warn", "info", "debug", "silent"] as const;

const schema = z
  .object({
    PORT: count(3000, 65_535),
    HOST: z.string().min(1).default("0.0.0.0"),
    DATA_DIR: z
      .string()
      .min(1)
      .default(".data")
      .transform((path) => resolve(path)),
    DATABASE_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\/\S+$/, "must be a postgresql:// address")
      .optional(),
    DATABASE_POOL: count(20, 1_000),
    APP_URL: address.optional(),
    APP_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
    DEMO: z.enum(["0", "1", "empty"], "must be 0, 1 or empty").default("1"),
    LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(", ")}`).default("info"),
    RATE_LIMIT_PER_MINUTE: count(300, 10_000_000),
    MAX_POLL_MS: count(5_000, 5_000),
    TRUST_PROXY: flag("0"),
    SESSION_IDLE_MINUTES: count(30, 720),
    REGISTRATION: z.enum(["open", "closed"], "must be open or closed").optional(),
    STRIPE_API_URL: address.default(stripeApi),
    WEBHOOKS_ALLOW_LOCALHOST: z.enum(["0", "1"], "must be 0 or 1").optional(),
    SMTP_URL: smtpAddress.optional(),
    MAIL_FROM: z.string().refine(isEmail, "must be an e-mail address").optional(),
  })
  .refine(({ SMTP_URL, MAIL_FROM }) => !SMTP_URL || MAIL_FROM, {
    path: ["MAIL_FROM"],
    error: "must be set where SMTP_URL is: the address that mails are sent from",
  })
  .transform((env) => ({ ...env, APP_URL: env.APP_URL ?? `http://localhost:${env.PORT}` }))
  // Whoever reaches Paydesk at localhost sits at this machine, and may let it call a receiver of theirs here.
  .transform((env) => ({
    ...env,
    WEBHOOKS_ALLOW_LOCALHOST: (env.WEBHOOKS_ALLOW_LOCALHOST ?? (isLoopback(env.APP_URL) ? "1" : "0")) === "1",
  }))
  // Where real money is taken, strangers do not get a business of their own by themselves.
  .transform((env) => ({
    ...env,
    REGISTRATION: env.REGISTRATION ?? (env.APP_URL.startsWith("https:") ? "closed" : "open"),
  }));

function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

export type Env = z.output<typeof schema>;

/**
 * Reads the configuration once.
 * @throws Error naming every bad variable and what it must be; the values themselves are not repeated (they may be secrets).
 */
export function parseEnv(source: Record<string, string | undefined>): Env {
  // An empty variable is an absent one, as in every shell script.
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => `  ${issue.path.join(".")} ${issue.message}`);
  throw new Error(`The configuration is not usable:\n${lines.join("\n")}`);
}

let parsed: Env | undefined;

/** The configuration of this process, parsed at first use. */
export function env(): Env {
  parsed ??= parseEnv(process.env);
  return parsed;
}

/**
 * The pause in milliseconds between two looks of a loop for due work: `seconds`, or MAX_POLL_MS where that is less, so that
 * tests do not wait.
 */
export const pollMs = (seconds: number): number => Math.min(seconds * 1_000, env().MAX_POLL_MS);

/** A setting that the start-up fills in when the operator did not (the embedded database's address, the generated secret). */
export function required(name: "DATABASE_URL" | "APP_SECRET"): string {
  const value = env()[name];
  if (!value) throw new Error(`${name} is missing. Start Paydesk with npm start, or set ${name}.`);
  return value;
}
