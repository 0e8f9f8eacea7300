"use client";

import { ArrowSquareOutIcon } from "@phosphor-icons/react/dist/ssr/ArrowSquareOut";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { buttonVariants } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { RowMenu } from "@/components/ui/row-menu";
import { type Tokenization, tokenizationEndpoints } from "@/lib/resources/tokenizations/contract";
import { useRevokeQuestion } from "./revoke-question";

/** While it is pending: its link. Once there is a card: revoke it. */
export function TokenizationActions({ row }: { row: Tokenization }) {
  const t = useTranslations("tokenizations.actions");
  const may = useMay();
  const askToRevoke = useRevokeQuestion(row);
  return (
    <div className="flex items-center justify-end">
      {row.status === "pending" && (
        <>
          <CopyButton text={row.activation_url} label={t("copy", { email: row.email })} />
          <a
            href={row.activation_url}
            target="_blank"
            rel="noreferrer"
            className={buttonVariants({ variant: "ghost", shape: "square" })}
            aria-label={t("open", { email: row.email })}
          >
            <ArrowSquareOutIcon size={16} aria-hidden />
          </a>
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
