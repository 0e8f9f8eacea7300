"use client";

import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { useMay, useMode, useOwnRole } from "@/components/shell/may";
import { LoadFailure, Skeleton } from "@/components/ui/list/list-frame";
import { Panel } from "@/components/ui/panel";
import { useHydrated } from "@/components/ui/use-hydrated";
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

const all = ["profile", "branding", "dunning", "notices", "bank", "security", "gateway"] as const;

export function SettingsPage() {
  const t = useTranslations("settings.page");
  const settings = useSettings();
  const mode = useMode();
  const hydrated = useHydrated();
  const may = useMay();
  const role = useOwnRole();
  const readAt = useRef<string | null>(null);
  readAt.current ??= settings.data?.updated_at ?? null;
  const section = settings.data && { settings: settings.data };
  const shown = section !== undefined && hydrated;
  const sections = all.filter(
    (name) => (name !== "security" || role === "owner") && (name !== "gateway" || may(gatewayAccountEndpoints.list)),
  );
  // The browser looked for the anchor before the sections had their height.
  useEffect(() => {
    const { hash } = window.location;
    if (shown && hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [shown]);
  return (
    <>
      <h1 className="mb-5 text-xl font-semibold tracking-tight text-kumo-strong">{t("title")}</h1>
      {!may(settingsEndpoints.update) && <p className="mb-2 text-base text-kumo-subtle">{t("readOnly")}</p>}
      {settings.isPending ? (
        <Skeleton of="single.settings" />
      ) : !section ? (
        <LoadFailure of="single.settings" query={settings} />
      ) : (
        <ReadAt value={readAt}>
          <Sections shown={sections} />
          {/* Before hydration a submit would leave the page. */}
          <div inert={!hydrated} className="pt-5">
            <Panel id="profile" title={t("profile")} lead={t("profileLead")}>
              <ProfileForm {...section} />
            </Panel>
            <Panel id="branding" title={t("branding")} lead={t("brandingLead")}>
              <Branding {...section} />
            </Panel>
            <Panel id="dunning" title={t("dunning")} lead={t("dunningLead")}>
              <DunningForm {...section} />
            </Panel>
            <Panel id="notices" title={t("notices")} lead={t("noticesLead")}>
              <NoticesForm {...section} />
            </Panel>
            <Panel id="bank" title={t("bank")} lead={t("bankLead")}>
              <BankForm {...section} />
            </Panel>
            {sections.includes("security") && (
              <Panel id="security" title={t("security")} lead={t("securityLead")}>
                <SecurityForm {...section} />
              </Panel>
            )}
            {sections.includes("gateway") && (
              <Panel id="gateway" title={t("gateway")} lead={t(mode === "test" ? "gatewayTest" : "gatewayLive")}>
                <Gateway />
              </Panel>
            )}
          </div>
        </ReadAt>
      )}
    </>
  );
}

/** Links to the sections: the page is long. */
function Sections({ shown }: { shown: readonly (typeof all)[number][] }) {
  const t = useTranslations("settings.page");
  return (
    <nav
      aria-label={t("sections")}
      className="scroll-sideways -mx-4 mb-2 flex max-w-[100vw] gap-5 px-4 py-1 md:-mx-1 md:px-1"
    >
      {shown.map((name) => (
        <a
          key={name}
          href={`#${name}`}
          className="inline-flex h-8 shrink-0 items-center rounded text-base whitespace-nowrap text-kumo-subtle underline decoration-kumo-line underline-offset-4 hover:text-kumo-default hover:decoration-current max-sm:h-11 pointer-coarse:h-11"
        >
          {t(name)}
        </a>
      ))}
    </nav>
  );
}
