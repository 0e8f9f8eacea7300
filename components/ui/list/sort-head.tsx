import { ArrowDownIcon } from "@phosphor-icons/react/dist/ssr/ArrowDown";
import { ArrowUpIcon } from "@phosphor-icons/react/dist/ssr/ArrowUp";
import { Head } from "./table";

export type Order = "created_at" | "-created_at";

interface SortHeadProps {
  label: string;
  order: Order;
  onOrder: (order: Order) => void;
  className?: string;
}

/** The title of the column by which a list is ordered: a click turns the order round. */
export function SortHead({ label, order, onOrder, className }: SortHeadProps) {
  const newest = order === "-created_at";
  const Arrow = newest ? ArrowDownIcon : ArrowUpIcon;
  return (
    <Head className={className} aria-sort={newest ? "descending" : "ascending"}>
      <button
        type="button"
        className="-mx-1 inline-flex items-center gap-1 rounded px-1 hover:text-kumo-default"
        onClick={() => onOrder(newest ? "created_at" : "-created_at")}
      >
        {label}
        <Arrow size={12} weight="bold" aria-hidden />
      </button>
    </Head>
  );
}
