import { useTranslations } from "use-intl";
import { Link } from "@/components/ui/link";
import { Card, Cards } from "@/components/ui/list/table";
import { When } from "@/components/ui/when";
import type { EmailSummary } from "@/lib/resources/emails/contract";
import { EmailBadge, subjectOf } from "./words";

/** The list on phones and small tablets. */
export function EmailCards({ rows }: { rows: EmailSummary[] }) {
  const types = useTranslations("emails.template");
  const t = useTranslations("emails.list");
  return (
    <Cards label={t("label")}>
      {rows.map((row) => (
        <Card key={row._id}>
          <h2 className="truncate text-base font-medium text-kumo-strong">
            <Link href={`/outbox/${row._id}`} className="row-link">
              <bdi>{subjectOf(types, row)}</bdi>
            </Link>
          </h2>
          <p className="truncate text-base">{row.to}</p>
          <div className="flex h-9 items-center gap-2">
            <EmailBadge status={row.status} />
            <span className="ml-auto text-sm text-kumo-subtle">
              <When at={row.created_at} />
            </span>
          </div>
        </Card>
      ))}
    </Cards>
  );
}
