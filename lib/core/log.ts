import pino from "pino";

/** Fields that may identify a payer or grant access: redacted by name, up to two levels deep. */
const redactedFields = [
  "authorization",
  "cookie",
  "password",
  "token",
  "key",
  "secret",
  "email",
  "phone_no",
  "number",
  "cvc",
  "card",
];

const level = process.env.LOG_LEVEL || "info";

export const log = pino({
  // lib/core/env refuses an unknown level. An error here would hide that message.
  level: level in pino.levels.values || level === "silent" ? level : "info",
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
  redact: { paths: redactedFields.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: "[redacted]" },
});
