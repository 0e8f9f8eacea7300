import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { Alert } from "@/components/ui/alert";
import { balanceQueryOptions } from "@/lib/resources/payouts/queries";

/** A notice if the account's key may not read its balance. */
export function BalanceProblem({ accountId }: { accountId: string }) {
  const t = useTranslations("settings.gateway");
  const { data } = useQuery(balanceQueryOptions());
  const account = data?.accounts.find(({ gateway_account_id }) => gateway_account_id === accountId);
  return <Alert>{account?.problem === "forbidden" && t("balanceForbidden")}</Alert>;
}
