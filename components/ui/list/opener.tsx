import { type MouseEvent, type ReactNode, useContext } from "react";
import { Link } from "@/components/ui/link";
import type { Column } from "./columns";
import { idInAddress, PeekContext, type PeekState } from "./peek-context";

/** A side peek needs the width beside a list. */
const peekWidth = "(min-width: 64rem)";

/** For CSS, keys and clicks: a row, its id in the address, and whether the side peek shows it. */
export function rowAttributes<Row extends { _id: string }>(
  row: Row,
  columns: readonly Column<Row>[],
  peek: PeekState | null,
): { "data-row": string; "data-peeked"?: true } {
  const address = columns.find(({ href }) => href)?.href?.(row);
  const id = address ? idInAddress(address) : row._id;
  return { "data-row": id, ...(peek?.id === id && { "data-peeked": true }) };
}

interface OpenerProps<Row> {
  row: Row;
  column: Column<Row>;
  id?: string;
  /** For rows without a page of their own. */
  onOpen?: (row: Row) => void;
  className: string;
  children: ReactNode;
}

/** The link or button that covers its row (`row-target` in app/globals.css). Plain text if the row has no page. */
export function Opener<Row>({ row, column: { href }, id, onOpen, className, children }: OpenerProps<Row>) {
  const peek = useContext(PeekContext);
  const look = `row-opener row-link ${className}`;
  if (onOpen)
    return (
      <button id={id} type="button" aria-haspopup="dialog" onClick={() => onOpen(row)} className={`text-left ${look}`}>
        {children}
      </button>
    );
  const address = href?.(row);
  if (!address)
    return (
      <span id={id} className={className}>
        {children}
      </span>
    );
  const show = (event: MouseEvent): void => {
    const { ctrlKey, metaKey, shiftKey, altKey } = event;
    if (!peek || ctrlKey || metaKey || shiftKey || altKey || !matchMedia(peekWidth).matches) return;
    event.preventDefault();
    peek.open(idInAddress(address));
  };
  return (
    // Not draggable, so that its text can be selected.
    <Link
      id={id}
      href={address}
      className={look}
      draggable={false}
      prefetchOn={peek ? "touch" : undefined}
      onClick={show}
    >
      {children}
    </Link>
  );
}
