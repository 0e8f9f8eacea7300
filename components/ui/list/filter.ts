import type { Texts } from "./columns";

/** One parameter of a list's address, and the control that sets it. */
export interface FilterField<Value extends string = string> {
  /**
   * "status": one or all, as buttons; "search" and "select": always in view; "text", "date", "choice" and "sort": behind the
   * button "Filters"; "none": without a control; "page": without a control, and not sent to the API.
   */
  as: "status" | "search" | "select" | "text" | "email" | "date" | "choice" | "sort" | "none" | "page";
  label?: (t: Texts) => string;
  placeholder?: (t: Texts) => string;
  /** What it can be; without them any text. */
  choices?: readonly Value[];
  words?(choice: Value, t: Texts): string;
  /** What the choice of all is called. */
  all?: (t: Texts) => string;
  /** What holds without a choice; there is no choice of all then. */
  usual?: Value;
  /** It is looked for alone, without the other filters. */
  alone?: boolean;
  /** What it asks for, for "No payment has the status failed"; null where it asks for nothing. */
  asked?(value: Value, t: Texts): string | null;
}

/** A list's filters, by the parameter's name. */
export type Filters = Record<string, FilterField>;

/** What an address can say by a list's filters. */
export type FilterOf<F extends Filters> = {
  [Name in keyof F]?: F[Name] extends FilterField<infer Value> ? Value : never;
} & { cursor?: string };

/** A field of a list's filters, typed by its choices. */
export const field = <const Value extends string = string>(definition: FilterField<Value>): FilterField<Value> =>
  definition;

/** The order of a list, as its address has it: newest first unless it says otherwise. */
export const sortField = field({ as: "sort", choices: ["created_at"] });

/** The days between which the rows were made. */
export function dayFields(
  from: FilterField["label"],
  to: FilterField["label"],
  asked: FilterField["asked"],
): Record<"created_from" | "created_to", FilterField> {
  return { created_from: { as: "date", label: from, asked }, created_to: { as: "date", label: to, asked } };
}

/** What an address says by a list's filters; what it cannot mean is left out. */
export function readFilter<F extends Filters>(filters: F, params: URLSearchParams): FilterOf<F> {
  const found: Record<string, string> = {};
  for (const [name, { as, choices }] of Object.entries(filters)) {
    const value = params.get(name)?.slice(0, 254).trim();
    if (!value) continue;
    if (choices && !choices.includes(value)) continue;
    if (as === "date" && !/^\d{4}-\d{2}-\d{2}$/.test(value)) continue;
    found[name] = as === "search" ? value.slice(0, 200) : value;
  }
  const cursor = params.get("cursor");
  if (cursor) found.cursor = cursor;
  return found as FilterOf<F>;
}

/** What a filter asks for in words, each part by itself; empty without one. */
export function askedFor(filters: Filters, filter: Record<string, string | undefined>, t: Texts): string[] {
  const parts = Object.entries(filters).map(([name, { asked }]) => {
    const value = filter[name];
    return value ? asked?.(value, t) : null;
  });
  return [...new Set(parts.filter((part) => !!part))].map(String);
}
