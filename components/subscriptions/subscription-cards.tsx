import { useTranslations } from "use-intl";
import { Price } from "@/components/packages/words";
import { Link } from "@/components/ui/link";
import { Card, Cards } from "@/components/ui/list/table";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { NextChargeShort } from "./next-charge";
import { SubscriptionBadge } from "./words";

/** The list on phones and small tablets. */
export function SubscriptionCards({ rows }: { rows: Subscription[] }) {
  const t = useTranslations("subscriptions.list");
  return (
    <Cards label={t("caption")}>
      {rows.map((row) => (
        <Card key={row._id}>
          <h2 className="min-w-0 text-base font-medium">
            <Link href={`/subscriptions/${row._id}`} className="block truncate py-0.5 text-kumo-strong row-link">
              {row.email}
            </Link>
          </h2>
          <p className="flex items-baseline justify-between gap-4 text-base">
            <span className="min-w-0 truncate text-kumo-subtle">{row.package.name}</span>
            <span className="shrink-0">
              <Price pkg={row.package} sumClass="font-semibold text-kumo-strong tabular-nums" />
            </span>
          </p>
          <p className="flex items-center justify-between gap-4 py-1 text-sm text-kumo-subtle">
            <SubscriptionBadge status={row.status} />
            <span>
              {t.rich("nextCharge", {
                label: (chunks) => <span className="sr-only">{chunks}</span>,
                charge: () => <NextChargeShort subscription={row} />,
              })}
            </span>
          </p>
        </Card>
      ))}
    </Cards>
  );
}
