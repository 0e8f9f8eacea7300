"use client";

import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { useMay, useOwnRole } from "@/components/shell/may";
import { LoadFailure, Skeleton } from "@/components/ui/list/list-frame";
import { Panel } from "@/components/ui/panel";
import { useHydrated } from "@/components/ui/use-hydrated";
import { pageMode } from "@/lib/client/call";
import { gatewayAccountEndpoints } from "@/lib/resources/gateway-accounts/contract";
import { settingsEndpoints } from "@/lib/resources/settings/contract";
import { useSettings } from "@/lib/resources/settings/queries";
import { BankForm } from "./bank-form";
import { Branding } from "./branding";
import { DunningForm } from "./dunning-form";
import { Gateway } from "./gateway";
import { NoticesForm } from "./notices-form";
import { ProfileForm } from "./profile-form";
import { ReadAt } from "./read-at";
import { SecurityForm } from "./security-form";

export function SettingsPage() {
  const t = useTranslations("settings.page");
  const settings = useSettings();
  // Before hydration a submit would leave the page, and the server would not know the mode.
  const hydrated = useHydrated();
  const may = useMay();
  const role = useOwnRole();
  const readAt = useRef<string | null>(null);
  readAt.current ??= settings.data?.updated_at ?? null;
  const section = settings.data && { settings: settings.data };
  const shown = section !== undefined && hydrated;
  // The browser looked for the anchor before the section was rendered.
  useEffect(() => {
    const { hash } = window.location;
    if (shown && hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [shown]);
  return (
    <>
      <h1 className="mb-5 text-xl font-semibold tracking-tight text-kumo-strong">{t("title")}</h1>
      {!may(settingsEndpoints.update) && <p className="mb-2 text-base text-kumo-subtle">{t("readOnly")}</p>}
      {settings.isPending || !hydrated ? (
        <Skeleton of="single.settings" />
      ) : !section ? (
        <LoadFailure of="single.settings" query={settings} />
      ) : (
        <ReadAt value={readAt}>
          <Panel title={t("profile")} lead={t("profileLead")}>
            <ProfileForm {...section} />
          </Panel>
          <Panel title={t("branding")} lead={t("brandingLead")}>
            <Branding {...section} />
          </Panel>
          <Panel title={t("dunning")} lead={t("dunningLead")}>
            <DunningForm {...section} />
          </Panel>
          <Panel title={t("notices")} lead={t("noticesLead")}>
            <NoticesForm {...section} />
          </Panel>
          <Panel title={t("bank")} lead={t("bankLead")}>
            <BankForm {...section} />
          </Panel>
          {role === "owner" && (
            <Panel title={t("security")} lead={t("securityLead")}>
              <SecurityForm {...section} />
            </Panel>
          )}
          {may(gatewayAccountEndpoints.list) && (
            <Panel id="gateway" title={t("gateway")} lead={t(pageMode() === "test" ? "gatewayTest" : "gatewayLive")}>
              <Gateway />
            </Panel>
          )}
        </ReadAt>
      )}
    </>
  );
}
