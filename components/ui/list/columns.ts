import type { ReactNode } from "react";
import type { useTranslations } from "use-intl";
import { formatMoney } from "@/lib/core/money";

export type Texts = ReturnType<typeof useTranslations<never>>;

/**
 * A column of a list, which is a table from 768 px on and cards on narrower screens. From 768 to 1023 px the table has its most
 * important columns, from 1024 to 1231 px as many as fit. What the other columns would show on a card is below the row's heading.
 * `Key` is the field, or "actions" for buttons.
 */
export interface Column<Row, Key extends string = string> {
  key: Key;
  label: (t: Texts) => string;
  cell: (row: Row, t: Texts) => ReactNode;
  /** The tooltip with the whole text, for a cell that is cut off. */
  title?: (row: Row, t: Texts) => string | null;
  /** In rem. Without it, the column shares the remaining width. */
  width?: number;
  /** In rem, for a column without a width. */
  minWidth?: number;
  align?: "right";
  look?: string;
  /**
   * "heading": names the row; "none": on cards alone; "below": a second line of the heading, also of a column that can be chosen as
   * long as it is not. A column of its own unless given.
   */
  table?: "heading" | "below" | "none";
  /**
   * On a card: "heading" with "side" to its right, "line" on its own line, "meta" small and in one line with others,
   * "foot" and "end" left and right in the last line. Not on the card unless given.
   */
  card?: "heading" | "side" | "line" | "meta" | "foot" | "end";
  /** Replaces `cell` on a card or in a heading's second line. */
  cardCell?: (row: Row, t: Texts) => ReactNode;
  href?: (row: Row) => string;
  /** In the column chooser; "hidden" columns are off by default. */
  choice?: "shown" | "hidden";
  /** The list can be sorted by this field of its query: the heading sorts by it, and reverses the order. */
  sorts?: string;
}

export const isActions = ({ key }: { key: string }): boolean => key === "actions";

type Money = { amount_cents: number; currency: string };

export const amountOf = ({ amount_cents, currency }: Money): string => formatMoney(amount_cents, currency);

/** The row's amount: at the right of its column, and beside a card's heading. */
export const amountColumn = <Row extends Money>(
  label: Column<Row>["label"],
  more: Partial<Column<Row, "amount">> = {},
): Column<Row, "amount"> => ({
  key: "amount",
  label,
  align: "right",
  width: 8,
  look: "font-medium",
  cell: amountOf,
  card: "side",
  ...more,
});
