"use client";

import { useTranslations } from "use-intl";
import { buttonVariants } from "@/components/ui/button";
import { LoadFailure, Skeleton } from "@/components/ui/list/list-frame";
import { Panel } from "@/components/ui/panel";
import { useAccount } from "@/lib/resources/account/queries";
import { Passkeys } from "./passkeys";
import { TwoFactor } from "./two-factor";

/** @param business the one that waits for a second factor; null for none */
export function SetUpPage({ business }: { business: string | null }) {
  const t = useTranslations("account.setUp");
  const page = useTranslations("account.page");
  const account = useAccount();
  const isDone = account.data && (account.data.two_factor || account.data.passkeys > 0);
  return (
    <>
      <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">{t("title")}</h1>
      <div
        className="mt-1 mb-5 grid justify-items-start gap-4 text-base leading-relaxed text-kumo-subtle"
        role="status"
      >
        <p>{isDone ? t("done") : business === null ? page("twoFactorLead") : t("required", { business })}</p>
        {isDone && (
          // A full page load: the server lets the session in.
          <a href="/" className={buttonVariants({ variant: "primary" })}>
            {t("goOn")}
          </a>
        )}
      </div>
      {account.isPending ? (
        <Skeleton of="single.account" />
      ) : account.isError ? (
        <LoadFailure of="single.account" query={account} />
      ) : (
        <>
          <Panel title={t("app")} lead={t("appLead")}>
            <TwoFactor account={account.data} />
          </Panel>
          <Panel title={page("passkeys")} lead={page("passkeysLead")}>
            <Passkeys hasApp={account.data.two_factor} />
          </Panel>
        </>
      )}
    </>
  );
}
