import { z } from "zod";
import { isEmail } from "@/lib/core/email";
import type { FieldErrors } from "@/lib/core/errors";
import { fieldMessages } from "@/lib/core/field-messages";
import { amountBounds, isCurrency, minorUnitStep } from "@/lib/core/money";

/** At most `max` Unicode code points (not UTF-16 units: an emoji is one character). */
export const text = (max: number) =>
  z
    .string()
    .refine((value) => codePoints(value) <= max, {
      error: (issue) => `The ${String(issue.path?.[0])} must not be greater than ${max} characters.`,
    })
    .meta({ maxLength: max });

function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}

/**
 * Marks a field that the request log never shows: a token, a key, a password, a URL that grants access. Apply it last: zod
 * drops the mark when a rule follows it.
 */
export const sensitive = <S extends z.ZodType>(schema: S): S => schema.meta({ "x-sensitive": true });

/** An optional field. Absent and null both parse to null. */
export const optional = <S extends z.ZodType>(schema: S) =>
  schema.nullish().transform((value): z.output<S> | null => value ?? null);

export const email = text(254)
  .refine(isEmail, {
    error: (issue) => fieldMessages.email(String(issue.path?.[0])),
  })
  .describe("The payer's e-mail address.");

export const phone = text(32).describe("The payer's phone number.");

/**
 * A URL to which a payer may be redirected: http or https, no user info, nothing that URL parsers read differently. It is stored
 * and shown as it was sent. redirectErrors refuses plain http in live mode.
 */
export const redirectUrl = text(2048)
  .refine(isRedirectUrl, {
    error: (issue) => fieldMessages.url(String(issue.path?.[0])),
  })
  .describe("Where the payer goes afterwards: https, in test mode also http. Without it, the thank-you page.");

/** RFC 3986's characters in their places: no blank, quote, angle bracket, backslash, control character or non-ASCII. */
const urlShape = /^https?:\/\/([^/?#]+)([/?#]([\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9a-f]{2})*)?$/i;
/** A host name, an IPv4 address or an IPv6 address, and a port. */
const hostShape =
  /^([a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?)*|\[[0-9a-f:.]+\])(:[1-9]\d{0,4})?$/;

function isRedirectUrl(value: string): boolean {
  const host = urlShape.exec(value)?.[1]?.toLowerCase() ?? "";
  if (!hostShape.test(host) || !URL.canParse(value)) return false;
  // The parser rewrites an address in another notation, such as 0x7f.1. A default port is left out.
  const { protocol, hostname, port } = new URL(value);
  return host === hostname || host === `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

/** For an endpoint's `check`: refuses a redirect_url that is not https in live mode. */
export function redirectErrors({ redirect_url }: Record<string, unknown>, livemode: boolean): FieldErrors {
  if (!livemode || !redirectUrl.safeParse(redirect_url).success || /^https:/i.test(String(redirect_url))) return {};
  return { redirect_url: [fieldMessages.url("redirect_url")] };
}

function amountError(cents: number, min: number): string | undefined {
  if (Number.isFinite(cents) ? !Number.isInteger(cents) : Number.isNaN(cents)) return "The amount must be an integer.";
  if (cents < min) return `The amount must be at least ${min}.`;
  if (cents > amountBounds.max) return `The amount must not be greater than ${amountBounds.max}.`;
  return undefined;
}

/** An amount of at least `min` cents: a string of ASCII digits or a JSON integer. Parses to an integer number of cents. */
export const amountFrom = (min: number) =>
  z
    .union([z.string(), z.number()], {
      error: ({ input }) => (input == null ? undefined : "The amount must be an integer."),
    })
    .describe(`In cents, 100 to the unit, as a string of digits or an integer; ${min} to ${amountBounds.max}.`)
    .transform((value, context) => {
      const cents = typeof value === "number" ? value : /^[0-9]+$/.test(value) ? Number(value) : Number.NaN;
      const message = amountError(cents, min);
      if (!message) return cents;
      context.issues.push({ code: "custom", input: value, message });
      return z.NEVER;
    });

export const amount = amountFrom(amountBounds.min);

const maxBasisPoints = 10_000;
const decimal = /^-?[0-9]+(\.[0-9]{1,2})?$/;

function percentError(basisPoints: number): string | undefined {
  if (Number.isNaN(basisPoints)) return "The tax_percent must be a number with at most two decimals.";
  if (basisPoints < 0) return "The tax_percent must be at least 0.";
  if (basisPoints > maxBasisPoints) return "The tax_percent must not be greater than 100.";
  return undefined;
}

/** A rate in percent: a decimal string or a JSON number. Parses to whole basis points (hundredths of a percent). */
export const taxPercent = z
  .union([z.string(), z.number()], { error: "The tax_percent must be a number with at most two decimals." })
  .describe(
    "The rate of the tax that the amount includes, as a decimal string or a number: 0 to 100, at most two decimals.",
  )
  .transform((value, context) => {
    const percent = typeof value === "number" ? value : decimal.test(value) ? Number(value) : Number.NaN;
    const basisPoints = Math.round(percent * 100);
    const message = percentError(basisPoints / 100 === percent ? basisPoints : Number.NaN);
    if (!message) return basisPoints;
    context.issues.push({ code: "custom", input: value, message });
    return z.NEVER;
  });

export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, "The currency must be 3 uppercase letters.")
  .refine((code) => !/^[A-Z]{3}$/.test(code) || isCurrency(code), "The selected currency is invalid.")
  .describe("Three-letter ISO 4217 code, uppercase.");

export const notWholeUnits = "The amount must be a multiple of 100: the currency has no minor unit.";

/** Refuses a part of a unit where the currency has no minor unit: cents must then be a multiple of 100. */
export function wholeUnits<S extends z.ZodType<{ amount: number; currency: string }>>(schema: S): S {
  return schema.refine(({ amount, currency }) => amount % minorUnitStep(currency) === 0, {
    path: ["amount"],
    error: notWholeUnits,
    // Runs even when other fields are invalid, so that one response lists all errors.
    when: ({ value }) => {
      const given = value as { amount?: unknown; currency?: unknown } | null;
      return Number.isInteger(given?.amount) && typeof given?.currency === "string";
    },
  });
}

const notADate = { error: (issue: { path?: PropertyKey[] }) => `The ${String(issue.path?.[0])} is not a valid date.` };

export const day = z.string().refine(isDay, notADate);

function isDay(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) && isRealDay(value) && value >= "1970-01-01";
}

function isRealDay(value: string): boolean {
  const date = new Date(`${value.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value.slice(0, 10));
}

/** An instant in ISO 8601 with its offset from UTC. Parses to a Date. */
export const instant = z
  .string()
  .refine(
    (value) =>
      /^(19[7-9]\d|2\d{3})-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/.test(value) &&
      isRealDay(value) &&
      !Number.isNaN(Date.parse(value)),
    notADate,
  )
  .transform((value) => new Date(value));

/** A list filter's bound: a whole day in UTC, or an instant. */
export const dayOrInstant = z.string().refine((value) => isDay(value) || instant.safeParse(value).success, notADate);
