"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { CaretLeftIcon } from "@phosphor-icons/react/dist/ssr/CaretLeft";
import { CaretRightIcon } from "@phosphor-icons/react/dist/ssr/CaretRight";
import type { ReactNode } from "react";
import { Alert } from "@/components/ui/alert";
import { explainFailure } from "@/components/ui/explain-failure";
import { Notice } from "@/components/ui/notice";
import { useMedia } from "@/components/ui/use-media";
import type { PageMeta } from "@/lib/api/envelope";
import type { PaymentLinkFilter, usePaymentLinks } from "@/lib/payment-links/queries";
import { PaymentLinkCards } from "./payment-link-cards";
import { PaymentLinkTable } from "./payment-link-table";

interface PaymentLinkListProps {
  links: ReturnType<typeof usePaymentLinks>;
  filter: PaymentLinkFilter;
  canWrite: boolean;
  /** The one next action of a list that is empty. */
  create: ReactNode;
  onShow: (filter: PaymentLinkFilter, how: "push" | "replace") => void;
}

/** Pending, error, empty, rows: always in this order. */
export function PaymentLinkList({ links, filter, canWrite, create, onShow }: PaymentLinkListProps) {
  const wide = useMedia("(min-width: 64rem)");
  const { status, q, cursor } = filter;
  const first = { status, q };

  if (links.isPending) return <Skeleton />;
  if (links.isError)
    return (
      <div className="grid justify-items-start gap-4 rounded-xl bg-kumo-base p-5 ring ring-kumo-line">
        <Alert>The payment links could not be loaded. {explainFailure(links.error)}</Alert>
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" loading={links.isFetching} onClick={() => void links.refetch()}>
            Try again
          </Button>
          {cursor && (
            <Button variant="ghost" onClick={() => onShow(first, "replace")}>
              Go to the first page
            </Button>
          )}
        </div>
      </div>
    );

  const { rows, page } = links.data;
  if (rows.length === 0)
    return status || q ? (
      <Notice title="Nothing matches" action={<ClearFilters onClick={() => onShow({}, "replace")} />}>
        No payment link has {[status && `the status ${status}`, q && `“${q}” in it`].filter(Boolean).join(" and ")}.
      </Notice>
    ) : (
      <Notice title="No payment links yet" action={create}>
        A payment link is a page where one payer pays one amount. Create it here, or through the API, and send it.
      </Notice>
    );

  const List = wide ? PaymentLinkTable : PaymentLinkCards;
  return (
    <div aria-busy={links.isPlaceholderData} className={links.isPlaceholderData ? "opacity-60" : ""}>
      <p role="status" className="sr-only">
        {rows.length === 1 ? "1 payment link shown" : `${rows.length} payment links shown`}
      </p>
      <List rows={rows} canWrite={canWrite} />
      <Pager page={page} onTurn={(to) => onShow({ ...first, cursor: to }, "push")} />
    </div>
  );
}

const ClearFilters = ({ onClick }: { onClick: () => void }) => (
  <Button variant="secondary" onClick={onClick}>
    Clear the filters
  </Button>
);

function Pager({ page, onTurn }: { page: PageMeta; onTurn: (cursor: string) => void }) {
  const { prev_cursor: previous, next_cursor: next } = page;
  if (previous === null && next === null) return null;
  return (
    <nav aria-label="Pages" className="mt-4 flex justify-end gap-2">
      <Button
        variant="secondary"
        icon={<CaretLeftIcon size={14} />}
        disabled={previous === null}
        onClick={() => previous && onTurn(previous)}
      >
        Previous
      </Button>
      <Button variant="secondary" disabled={next === null} onClick={() => next && onTurn(next)}>
        Next
        <CaretRightIcon size={14} />
      </Button>
    </nav>
  );
}

function Skeleton() {
  return (
    <div className="overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line">
      <p role="status" className="sr-only">
        Loading payment links
      </p>
      {["w-40", "w-56", "w-32", "w-48", "w-44", "w-36"].map((width) => (
        <div
          key={width}
          aria-hidden
          className="flex h-13 items-center gap-6 border-b border-kumo-hairline px-4 last:border-0"
        >
          <span className={`h-3 motion-safe:animate-pulse rounded bg-kumo-fill ${width}`} />
          <span className="ml-auto h-3 w-16 motion-safe:animate-pulse rounded bg-kumo-fill" />
        </div>
      ))}
    </div>
  );
}
