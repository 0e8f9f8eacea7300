import { useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useExplainFailure } from "@/components/ui/explain-failure";
import { Rows } from "@/components/ui/list/rows";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { usePeriods } from "@/lib/resources/subscriptions/queries";
import { periodColumns } from "./period-columns";

interface PeriodsProps {
  subscription: Subscription;
  open: PaymentLink | null;
  total: number;
}

/** Newest first. The subscription includes the latest periods; older ones load on request. */
export function Periods({ subscription, open, total }: PeriodsProps) {
  const explainFailure = useExplainFailure();
  const t = useTranslations("subscriptions.periods");
  const format = useFormatter();
  const [all, setAll] = useState(false);
  const older = usePeriods(subscription._id, all);
  const rows = merge(subscription.payment_links, older.data?.pages.flatMap((page) => page.rows) ?? []);
  const left = Math.max(0, total - rows.length);

  function loadMore(): void {
    if (!all) setAll(true);
    else if (older.isError && !older.data) void older.refetch();
    else void older.fetchNextPage();
  }

  return (
    <section className="grid grid-cols-1 gap-3" aria-labelledby="periods">
      <h2 id="periods" className="text-[15px] font-semibold text-kumo-strong">
        {t("title")}{" "}
        <span className="font-normal text-kumo-subtle tabular-nums">{total > 0 ? format.number(total) : ""}</span>
      </h2>
      {rows.length === 0 ? (
        <p className="rounded-xl bg-kumo-base px-4 py-6 text-center text-base text-kumo-subtle ring ring-kumo-line">
          {t("empty")}
        </p>
      ) : (
        <Rows rows={rows} columns={periodColumns(subscription, open)} caption={t("caption")} level="h3" />
      )}
      {older.isError && (
        <Alert>
          {t("olderFailed")} {explainFailure(older.error)}
        </Alert>
      )}
      {left > 0 && (
        <div className="flex justify-center">
          <Button variant="secondary" loading={older.isFetching} onClick={loadMore}>
            {t("showOlder", { count: left })}
          </Button>
        </div>
      )}
    </section>
  );
}

/** The subscription's rows are fresher than the loaded older ones. */
function merge(fresh: PaymentLink[], rest: PaymentLink[]): PaymentLink[] {
  const rows = new Map([...rest, ...fresh].map((link) => [link._id, link]));
  return [...rows.values()].sort((a, b) => ((a.period_start ?? "") < (b.period_start ?? "") ? 1 : -1));
}
