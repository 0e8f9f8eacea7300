import { isDay } from "@/components/ui/moment";
import { maxKeys, maxValueLength, metadataKey } from "@/lib/core/metadata-key";
import { toCents } from "@/lib/core/typed-amount";
import type { Texts } from "./columns";
import { isRangeName, rangeKindOf, rangeKinds, rangeOf } from "./ranges";

export interface FilterField<Value extends string = string> {
  /**
   * "status": one or all, as buttons; "search" and "select": always in view; "text", "amount", "date", "choice" and "sort": behind
   * the button "Filters"; "metadata": there, too, a filter for each key, named as in the API; "none": without a control; "page": without a control, and not sent to the API.
   */
  as:
    | ("status" | "search" | "select" | "text" | "email" | "amount" | "date" | "choice" | "sort" | "none" | "page")
    | "metadata";
  label?: (t: Texts) => string;
  /** For the first day of a range: the name of the range, if the default for its kind does not fit. */
  rangeLabel?: (t: Texts) => string;
  placeholder?: (t: Texts) => string;
  choices?: readonly Value[];
  words?(choice: Value, t: Texts): string;
  /** The label of the option without a filter. */
  all?: (t: Texts) => string;
  /** The default choice; it replaces the option without a filter. */
  usual?: Value;
  alone?: boolean;
  /** Completes "No payment has …" when the list is empty: "the status failed". Null for nothing. */
  criterion?(value: Value, t: Texts): string | null;
}

export type Filters = Record<string, FilterField>;

export type FilterOf<F extends Filters> = {
  [Name in keyof F]?: F[Name] extends FilterField<infer Value> ? Value : never;
} & { cursor?: string };

export const field = <const Value extends string = string>(definition: FilterField<Value>): FilterField<Value> =>
  definition;

/** For lists whose API has `metadata[key]=value`. */
export const metadataField: FilterField<never> = field({ as: "metadata" });

const metadataName = new RegExp(`^metadata\\[(${metadataKey.source})\\]$`);

/** The name of the filter by this key of the metadata, as in the API. */
export const metadataFilterName = (key: string): string => `metadata[${key}]`;

/** The key of a filter by metadata; undefined for other filters. */
export const metadataKeyOf = (name: string): string | undefined => metadataName.exec(name)?.[1];

/** The list's order; newest first by default. */
export const sortField = field({ as: "sort", choices: ["created_at"] });

/** Times that not every row has. A list in such an order has only the rows that have the time. */
export const partialOrders = ["ended_at", "next_charge_at", "expires_at"] as const;
type PartialOrder = (typeof partialOrders)[number];

/** For lists that are also sorted by these fields of their query. */
export const sortFields = <const Name extends "amount" | "email" | PartialOrder>(...names: Name[]) => {
  type Sort = "created_at" | Name | `-${Name}`;
  return field<Sort>({ as: "sort", choices: ["created_at", ...names.flatMap((name): Sort[] => [`-${name}`, name])] });
};

export function dayFields(
  from: FilterField["label"],
  to: FilterField["label"],
  criterion: FilterField["criterion"],
): Record<"created_from" | "created_to", FilterField> {
  return { created_from: { as: "date", label: from, criterion }, created_to: { as: "date", label: to, criterion } };
}

/** The least and the greatest amount, as people type them. */
export function amountFields(
  from: FilterField["label"],
  to: FilterField["label"],
  criterion: FilterField["criterion"],
): Record<"amount_from" | "amount_to", FilterField> {
  return { amount_from: { as: "amount", label: from, criterion }, amount_to: { as: "amount", label: to, criterion } };
}

/** Whether it is an amount that cannot be read, or that could be two: the list is not filtered by it. */
export const isUnclear = ({ as }: FilterField, value: string): boolean => as === "amount" && toCents(value) === null;

/** Ignores invalid values. */
export function readFilter<F extends Filters>(filters: F, params: URLSearchParams): FilterOf<F> {
  const found: Record<string, string> = {};
  for (const [name, { as, choices }] of Object.entries(filters)) {
    const value = params.get(name)?.slice(0, 254).trim();
    if (!value) continue;
    if (choices && !choices.includes(value)) continue;
    if (as === "date" && !isDay(value) && !(rangeKindOf(name) && isRangeName(value))) continue;
    found[name] = as === "search" ? value.slice(0, 200) : value;
  }
  if (Object.values(filters).some(({ as }) => as === "metadata")) Object.assign(found, readMetadata(params));
  for (const kind of rangeKinds) if (rangeOf(found, kind)) delete found[`${kind}_to`];
  const cursor = params.get("cursor");
  if (cursor) found.cursor = cursor;
  return found as FilterOf<F>;
}

function readMetadata(params: URLSearchParams): Record<string, string> {
  const entries = [...params].filter(([name, value]) => metadataKeyOf(name) && value.trim() !== "");
  return Object.fromEntries(
    entries.slice(0, maxKeys).map(([name, value]) => [name, value.trim().slice(0, maxValueLength)]),
  );
}

export function criteriaOf(filters: Filters, filter: Record<string, string | undefined>, t: Texts): string[] {
  const parts = Object.entries(filters).map(([name, field]) => {
    const value = filter[name];
    return value && !isUnclear(field, value) ? field.criterion?.(value, t) : null;
  });
  const metadata = Object.entries(filter).flatMap(([name, value = ""]) => {
    const key = metadataKeyOf(name);
    return key ? [t("shell.list.metadata.criterion", { key, value })] : [];
  });
  return [...new Set([...parts.filter((part) => !!part), ...metadata])].map(String);
}
