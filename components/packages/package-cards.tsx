import { useTranslations } from "use-intl";
import { Link } from "@/components/ui/link";
import { Card, Cards } from "@/components/ui/list/table";
import { PackageActions } from "./package-actions";
import type { PackageListProps } from "./package-table";
import { SubscriberCount } from "./subscriber-count";
import { PackageBadge, Price } from "./words";

/** The list on phones and small tablets. */
export function PackageCards({ rows, onEdit }: PackageListProps) {
  const t = useTranslations("packages.list");
  return (
    <Cards label={t("caption")}>
      {rows.map((pkg) => (
        <Card key={pkg._id}>
          <div className="flex items-baseline justify-between gap-4">
            <h2 className="min-w-0 text-base font-medium wrap-anywhere text-kumo-strong">
              <Link href={`/packages/${pkg._id}`} className="block py-0.5 row-link">
                {pkg.name}
              </Link>
            </h2>
            <span className="shrink-0 text-right text-base">
              <Price pkg={pkg} sumClass="font-semibold text-kumo-strong tabular-nums" />
            </span>
          </div>
          {pkg.description && <p className="truncate text-base text-kumo-subtle">{pkg.description}</p>}
          <div className="-mr-2 flex h-9 items-center gap-3">
            <PackageBadge status={pkg.status} />
            <span className="mr-auto text-sm">
              <SubscriberCount pkg={pkg} words />
            </span>
            <PackageActions pkg={pkg} onEdit={() => onEdit(pkg)} />
          </div>
        </Card>
      ))}
    </Cards>
  );
}
