import type { FieldErrors } from "@/lib/core/errors";

/** 1050 -> "10.50" */
export function fromCents(cents: number): string {
  const digits = String(cents).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Converts the cents in an API message to currency units, as the form shows them. */
export function inUnits(message: string): string {
  return message
    .replace(/(at least|greater than) (\d+)\./, (_, words, cents) => `${words} ${fromCents(Number(cents))}.`)
    .replace("must be a multiple of 100:", "must be a whole number:")
    .replace("must be an integer.", "must be a number like 10.50, with at most two decimals.");
}

export function errorsInUnits(errors: FieldErrors): FieldErrors {
  return errors.amount ? { ...errors, amount: errors.amount.map(inUnits) } : errors;
}
