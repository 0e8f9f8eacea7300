import { useTranslations } from "use-intl";
import { Link } from "@/components/ui/link";
import { ActionsHead, cell, Head, Row, Table } from "@/components/ui/list/table";
import { When } from "@/components/ui/when";
import type { PackageWithCounts } from "@/lib/resources/packages/contract";
import { PackageActions } from "./package-actions";
import { SubscriberCount } from "./subscriber-count";
import { PackageBadge, Price } from "./words";

export interface PackageListProps {
  rows: PackageWithCounts[];
  onEdit: (pkg: PackageWithCounts) => void;
}

/** The list from 1024 px on. */
export function PackageTable({ rows, onEdit }: PackageListProps) {
  const t = useTranslations("packages.columns");
  const list = useTranslations("packages.list");
  return (
    <Table
      caption={list("caption")}
      head={
        <>
          <Head>{t("name")}</Head>
          <Head className="w-52 !text-right">{t("amount")}</Head>
          <Head className="w-28 !text-right">{t("subscribers")}</Head>
          <Head className="w-36 !pl-8">{t("status")}</Head>
          <Head className="w-32">{t("created")}</Head>
          <ActionsHead className="w-24" />
        </>
      }
    >
      {rows.map((pkg) => (
        <Row key={pkg._id}>
          <th scope="row" className={`${cell} text-left font-medium text-kumo-strong`}>
            <Link href={`/packages/${pkg._id}`} title={pkg.name} className="block truncate leading-snug row-link">
              {pkg.name}
            </Link>
            {pkg.description && (
              <span className="block truncate text-sm font-normal text-kumo-subtle" title={pkg.description}>
                {pkg.description}
              </span>
            )}
          </th>
          <td className={`${cell} text-right`}>
            <Price pkg={pkg} sumClass="font-medium tabular-nums" />
          </td>
          <td className={`${cell} text-right`}>
            <SubscriberCount pkg={pkg} />
          </td>
          <td className={`${cell} !pl-8`}>
            <PackageBadge status={pkg.status} />
          </td>
          <td className={`${cell} text-kumo-subtle`}>
            <When at={pkg.created_at} />
          </td>
          <td className="px-2">
            <PackageActions pkg={pkg} onEdit={() => onEdit(pkg)} />
          </td>
        </Row>
      ))}
    </Table>
  );
}
