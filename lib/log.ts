import pino from "pino";

/**
 * Structured logs, one JSON line each, on standard output. Anything that could identify a payer or open a door is
 * redacted by name, wherever it turns up one or two levels deep.
 */
const secret = [
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

export const log = pino({
  level: process.env.LOG_LEVEL || "info",
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
  redact: { paths: secret.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: "[redacted]" },
});
