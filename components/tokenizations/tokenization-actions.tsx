import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { CopyButton } from "@/components/ui/copy-button";
import { NewTabIcon } from "@/components/ui/new-tab-link";
import { RowMenu } from "@/components/ui/row-menu";
import { type Tokenization, tokenizationEndpoints } from "@/lib/resources/tokenizations/contract";
import { useRevokeQuestion } from "./revoke-question";

export function TokenizationActions({ row }: { row: Tokenization }) {
  const t = useTranslations("tokenizations.actions");
  const may = useMay();
  const askToRevoke = useRevokeQuestion(row);
  return (
    <div className="flex items-center justify-end">
      {row.status === "pending" && (
        <>
          <CopyButton text={row.activation_url} label={t("copy", { email: row.email })} />
          <NewTabIcon href={row.activation_url} label={t("open", { email: row.email })} />
        </>
      )}
      {may(tokenizationEndpoints.revoke) && row.status === "active" && (
        <RowMenu
          label={t("more", { email: row.email })}
          actions={[{ label: t("revoke"), icon: ProhibitIcon, destructive: true, onClick: askToRevoke }]}
        />
      )}
    </div>
  );
}
