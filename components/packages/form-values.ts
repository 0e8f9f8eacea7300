import { errorsInUnits, fromCents } from "@/components/ui/amount";
import { contractResolver } from "@/components/ui/contract-form";
import type { FieldErrors } from "@/lib/core/errors";
import { amountBounds } from "@/lib/core/money";
import { toCents } from "@/lib/core/typed-amount";
import { frequencies, type Package, packageInput } from "@/lib/resources/packages/contract";
import type { PackageBody } from "@/lib/resources/packages/queries";

export const packageFields = [
  "name",
  "amount",
  "currency",
  "frequency",
  "date_charge_start",
  "description",
  "existing_subscriptions",
] as const;

export type PackageValues = Record<(typeof packageFields)[number], string>;

export const emptyValues = (currency: string): PackageValues => ({
  name: "",
  amount: "",
  currency,
  frequency: "monthly",
  date_charge_start: "",
  description: "",
  existing_subscriptions: "keep_price",
});

export const valuesOf = (pkg: Package): PackageValues => ({
  name: pkg.name,
  amount: fromCents(pkg.amount_cents),
  currency: pkg.currency,
  frequency: pkg.frequency,
  date_charge_start: pkg.date_charge_start ?? "",
  description: pkg.description ?? "",
  existing_subscriptions: "keep_price",
});

export function toBody(values: PackageValues): PackageBody {
  return {
    name: values.name.trim(),
    // The contract refuses text that is not an amount, with its own message.
    amount: toCents(values.amount, values.currency, amountBounds) ?? values.amount,
    currency: values.currency,
    frequency: frequencies.find((frequency) => frequency === values.frequency) ?? "monthly",
    date_charge_start: values.date_charge_start || null,
    description: values.description.trim() || null,
    ...(values.existing_subscriptions === "new_price" && { existing_subscriptions: "new_price" }),
  };
}

/** Replaces cents with currency units, and the date's field name with its label. */
export function reword(errors: FieldErrors): FieldErrors {
  const { amount, date_charge_start: day, ...rest } = errorsInUnits(errors);
  return {
    ...(amount && { amount }),
    ...(day && { date_charge_start: day.map((text) => text.replace("date_charge_start", "first charge")) }),
    ...rest,
  };
}

export const resolver = contractResolver<PackageValues>(packageInput, toBody, reword);
