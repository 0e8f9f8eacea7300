import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { disputeColumns } from "@/components/disputes/columns";
import { Part } from "@/components/ui/detail-part";
import { disputesQueryOptions } from "@/lib/resources/disputes/queries";
import { without } from "./own-columns";

const columns = without(disputeColumns, "email");

export function CustomerDisputes({ email }: { email: string }) {
  const t = useTranslations("customers.detail");
  return (
    <Part
      of="disputes"
      title={t("disputes")}
      none={t("noDisputes")}
      all={{ href: `/disputes?email=${encodeURIComponent(email)}`, label: t("allOfThem") }}
      query={useQuery(disputesQueryOptions({ email }))}
      columns={columns}
    />
  );
}
