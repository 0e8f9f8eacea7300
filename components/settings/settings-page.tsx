"use client";

import { LoadFailure, Skeleton } from "@/components/shell/list/list-frame";
import { Panel } from "@/components/shell/panel";
import { shownMode } from "@/lib/api/client";
import { allows, type Role, roleScopes } from "@/lib/auth/scopes";
import { useSettings } from "@/lib/settings/queries";
import { Branding } from "./branding";
import { DunningForm } from "./dunning-form";
import { Gateway } from "./gateway";
import { NoticesForm } from "./notices-form";
import { ProfileForm } from "./profile-form";

/** What a business decides about itself. Each section is saved by itself. */
export function SettingsPage({ role }: { role: Role }) {
  const settings = useSettings();
  const canWrite = allows(roleScopes[role], "settings:write");
  const section = settings.data && { settings: settings.data, canWrite };
  return (
    <>
      <h1 className="mb-5 text-xl font-semibold tracking-tight text-kumo-strong">Settings</h1>
      {!canWrite && (
        <p className="mb-2 text-base text-kumo-subtle">Your role may look at the settings, not change them.</p>
      )}
      {settings.isPending ? (
        <Skeleton what="the settings" />
      ) : !section ? (
        <LoadFailure what="settings" query={settings} />
      ) : (
        <>
          <Panel title="Profile" lead="Who you are to your payers, and whom they can ask.">
            <ProfileForm {...section} />
          </Panel>
          <Panel title="Branding" lead="How pay pages, receipts and e-mails look.">
            <Branding {...section} />
          </Panel>
          <Panel title="Payments and dunning" lead="What happens when a subscription’s charge fails.">
            <DunningForm {...section} />
          </Panel>
          <Panel title="Notices" lead="Which e-mails go to payers by themselves.">
            <NoticesForm {...section} />
          </Panel>
          {allows(roleScopes[role], "gateway_accounts:read") && (
            <Panel title="Gateway" lead={`Whose account the money goes to in ${shownMode()} mode.`}>
              <Gateway />
            </Panel>
          )}
        </>
      )}
    </>
  );
}
