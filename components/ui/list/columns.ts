import type { ReactNode } from "react";
import type { useTranslations } from "use-intl";

/** The translator of all texts: `t("payments.list.amount")`. */
export type Texts = ReturnType<typeof useTranslations<never>>;

/**
 * One column of a list. The list draws a table from 1024 px on and cards below, both from the same columns.
 * `Key` is the field that the column shows; a column of buttons has the key "actions".
 */
export interface Column<Row, Key extends string = string> {
  key: Key;
  /** Its heading; a column of buttons has none that is visible. */
  label: (t: Texts) => string;
  cell: (row: Row, t: Texts) => ReactNode;
  /** The whole text, shown by the pointer where the cell cuts it off. */
  title?: (row: Row, t: Texts) => string | null;
  /** In rem. A column without it takes the remaining width. */
  width?: number;
  /** In rem, of a column without a width. */
  minWidth?: number;
  align?: "right";
  /** Class names of its cells. */
  look?: string;
  /**
   * "heading": names the row; "none": on cards alone; "below": a second line of the heading, also of a column that can be chosen as
   * long as it is not. A column of its own unless given.
   */
  table?: "heading" | "below" | "none";
  /**
   * Its place on a card. "heading", with "side" at its right; "line" a line of its own; "meta" small, in one line with
   * others; "foot" and "end" the last line's left and right. Not on the card unless given.
   */
  card?: "heading" | "side" | "line" | "meta" | "foot" | "end";
  /** What a card, or the second line of a heading, shows in place of `cell`. */
  cardCell?: (row: Row, t: Texts) => ReactNode;
  /** Of the heading: the page of the row. */
  href?: (row: Row) => string;
  /** In the choice of columns; "hidden" ones are not shown until they are chosen. */
  choice?: "shown" | "hidden";
  /** The list is ordered by it, and its heading turns the order round. */
  sorts?: boolean;
}
