import { useTranslations } from "use-intl";
import { Link } from "@/components/ui/link";
import { Card, Cards } from "@/components/ui/list/table";
import type { Tokenization } from "@/lib/resources/tokenizations/contract";
import { CardCell } from "./card-cell";
import { TokenizationActions } from "./tokenization-actions";
import { TokenizationBadge } from "./words";

/** The list on phones and small tablets. */
export function TokenizationCards({ rows }: { rows: Tokenization[] }) {
  const t = useTranslations("tokenizations.list");
  return (
    <Cards label={t("caption")}>
      {rows.map((row) => (
        <Card key={row._id}>
          <h2 className="min-w-0 text-base font-medium text-kumo-strong">
            <Link href={`/tokenizations/${row._id}`} className="block truncate py-0.5 row-link">
              {row.email}
            </Link>
          </h2>
          <p className="text-base">
            <CardCell row={row} />
          </p>
          <div className="-mr-2 flex h-9 items-center gap-2">
            <TokenizationBadge status={row.status} />
            <span className="mr-auto min-w-0 truncate text-sm text-kumo-subtle">{row.title}</span>
            <TokenizationActions row={row} />
          </div>
        </Card>
      ))}
    </Cards>
  );
}
