import { z } from "zod";
import { dayOrInstant, optional } from "./fields";

const digits = /^[0-9]{1,9}$/;

const number = (name: string, from: number, to: number) =>
  z
    .string()
    .meta({ pattern: digits.source })
    .transform((value, context) => {
      const count = /^-?[0-9]+$/.test(value) ? Number(value) || 0 : Number.NaN; // 0, not -0
      const message = Number.isNaN(count)
        ? `The ${name} must be an integer.`
        : count < from
          ? `The ${name} must be at least ${from}.`
          : count > to
            ? `The ${name} must not be greater than ${to}.`
            : null;
      if (message === null) return count;
      context.issues.push({ code: "custom", input: value, message });
      return z.NEVER;
    });

export const flag = z
  .enum(["true", "false"], {
    error: (issue) => `The ${String(issue.path?.[0])} field must be true or false.`,
  })
  .transform((value) => value === "true");

const pageQuery = {
  per_page: optional(
    number("per_page", 1, 100).describe(
      "Items per page, 1 to 100; 25 by default. A page may have fewer while there are more.",
    ),
  ).transform((count) => count ?? 25),
  cursor: optional(
    z
      .string()
      .describe("A next_cursor or prev_cursor from a response's meta. The list ends where next_cursor is null."),
  ),
  with_total: optional(
    flag.describe(
      "true adds the total to meta, exact up to 5,000 (see total_is_lower_bound), and the sums of amounts.",
    ),
  ),
  created_from: optional(dayOrInstant.describe("A day (UTC) or an instant, ISO 8601.")),
  created_to: optional(dayOrInstant.describe("A day (UTC, inclusive) or an instant, ISO 8601.")),
};

type Sort<Field extends string> = Field | `-${Field}`;

/** The fields that a list can be sorted by: the time of creation, and `orders` of the resource's definition. */
function sortBy<Field extends string>(fields: readonly Field[]) {
  const sorts = ["-created_at", "created_at", ...fields.flatMap((field) => [`-${field}`, field])];
  const times = fields.filter((field) => field.endsWith("_at")).map((field) => `\`${field}\``);
  const described = [
    "Newest first by default.",
    ...(fields.some((field) => field === "amount") ? ["`amount` goes by `amount_cents`, whatever the currency."] : []),
    ...(times.length > 0 ? [`By ${times.join(" or ")}, the list has only the rows that have one.`] : []),
  ].join(" ");
  return optional(z.enum(sorts as [Sort<Field | "created_at">]).describe(described)).transform(
    (sort) => sort ?? "-created_at",
  );
}

/** The filters of a list's query, for the export of all that they find. */
export function exportQuery<Q extends z.ZodRawShape>(query: z.ZodObject<Q>) {
  const filters = Object.entries(query.shape).filter(([name]) => !["per_page", "cursor", "with_total"].includes(name));
  return z.object({
    ...(Object.fromEntries(filters) as Omit<Q, "per_page" | "cursor" | "with_total">),
    bom: optional(flag.describe("true: begins with a byte order mark, by which Excel knows UTF-8.")),
  });
}

const maxFilteredAmount = 999_999_999;

/** For lists of rows with an amount. */
export const amountRange = {
  amount_from: optional(number("amount_from", 0, maxFilteredAmount).describe("In cents: amounts of at least this.")),
  amount_to: optional(number("amount_to", 0, maxFilteredAmount).describe("In cents: amounts of at most this.")),
};

export type ListQuery = z.output<z.ZodObject<typeof pageQuery>> & { sort: string };

/** @param sortFields what the list can be sorted by besides the time of creation */
export const listQuery = <F extends z.ZodRawShape, const Field extends string = never>(
  filters: F,
  sortFields: readonly Field[] = [],
) => z.object({ ...pageQuery, sort: sortBy(sortFields), ...filters });
