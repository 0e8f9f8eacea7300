"use client";

import { useTranslations } from "use-intl";
import { NotificationSettings } from "@/components/notifications/notification-settings";
import { SingleKeysSwitch } from "@/components/shell/keys/single-keys-switch";
import { LoadFailure, Skeleton } from "@/components/ui/list/list-frame";
import { Panel } from "@/components/ui/panel";
import { useHydrated } from "@/components/ui/use-hydrated";
import { useAccount } from "@/lib/resources/account/queries";
import { Businesses } from "./businesses";
import { NameForm } from "./name-form";
import { Passkeys } from "./passkeys";
import { PasswordForm } from "./password-form";
import { Sessions } from "./sessions";
import { TwoFactor } from "./two-factor";

export function AccountPage() {
  const t = useTranslations("account.page");
  const account = useAccount();
  const hydrated = useHydrated();
  return (
    <>
      <h1 className="mb-5 text-xl font-semibold tracking-tight text-kumo-strong">{t("title")}</h1>
      {account.isPending ? (
        <Skeleton of="single.account" />
      ) : account.isError ? (
        <LoadFailure of="single.account" query={account} />
      ) : (
        // Before hydration a submit would leave the page.
        <div inert={!hydrated} className="pt-5">
          <Panel title={t("profile")} lead={t("profileLead")}>
            <NameForm account={account.data} />
          </Panel>
          <Panel title={t("password")} lead={t("passwordLead")}>
            <PasswordForm email={account.data.email} />
          </Panel>
          <Panel title={t("twoFactor")} lead={t("twoFactorLead")}>
            <TwoFactor account={account.data} />
          </Panel>
          <Panel title={t("passkeys")} lead={t("passkeysLead")}>
            <Passkeys hasApp={account.data.two_factor} />
          </Panel>
          <Panel title={t("businesses")} lead={t("businessesLead")}>
            <Businesses />
          </Panel>
          <Panel id="notifications" title={t("notifications")} lead={t("notificationsLead")}>
            <NotificationSettings account={account.data} />
          </Panel>
          <Panel title={t("keys")} lead={t("keysLead")}>
            <SingleKeysSwitch />
          </Panel>
          <Panel title={t("sessions")} lead={t("sessionsLead")}>
            <Sessions />
          </Panel>
        </div>
      )}
    </>
  );
}
