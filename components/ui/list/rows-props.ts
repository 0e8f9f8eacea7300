import type { Column } from "./columns";
import type { Selection } from "./selection";

/** A field of the list's query that it is sorted by; "-" begins with the greatest. */
export type Order = string;

export interface RowsProps<Row> {
  rows: Row[];
  columns: readonly Column<Row>[];
  caption: string;
  chosen?: readonly string[];
  order?: Order;
  /** Without it the heading does not sort. */
  onOrder?: (order: Order) => void;
  /** For rows without a page of their own. */
  onOpen?: (row: Row) => void;
  level?: "h2" | "h3";
  /** With it, each row has a checkbox. */
  selection?: Selection;
  /** The page's own list: `j` and `k` reach its rows from anywhere on the page. */
  main?: boolean;
}
