import type { ReactNode } from "react";
import { Bell } from "@/components/notifications/bell";
import { PageKeys } from "@/components/shell/keys/page-keys";
import { PaletteButton } from "@/components/shell/palette/palette-button";
import { ClockBar } from "@/components/test-clock/clock-bar";
import { TestMode } from "@/components/test-clock/test-mode";
import { Logo } from "@/components/ui/logo";
import type { SignedIn } from "@/lib/auth/session";
import type { Mode } from "@/lib/client/call";
import { env } from "@/lib/core/env";
import { chosenTexts, texts } from "@/messages/server";
import { AddressedTenant } from "./addressed-tenant";
import { BottomBar } from "./bottom-bar";
import { BusinessSwitcher } from "./business-switcher";
import { ComingPage } from "./coming-page";
import { HeldBar } from "./held-bar";
import { ModeSwitch } from "./mode-switch";
import { NavLinks } from "./nav-links";
import { NoGatewayBar } from "./no-gateway-bar";
import { UserMenu } from "./user-menu";
import { VerifyEmailBar } from "./verify-email-bar";

interface AppShellProps {
  session: SignedIn;
  mode: Mode;
  children: ReactNode;
}

/** On a phone the sidebar becomes a bar at the bottom. */
export async function AppShell({ session, mode, children }: AppShellProps) {
  const t = await texts("shell.frame");
  const { language } = await chosenTexts();
  const { userName, userEmail, businessId, businessName } = session;
  return (
    <div className="isolate flex min-h-full flex-col md:flex-row">
      <a
        href="#content"
        className="sr-only rounded-lg bg-kumo-base px-3 py-2 text-base font-medium shadow-lg focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
      >
        {t("skip")}
      </a>
      <PageKeys />
      <aside className="sticky top-0 hidden h-dvh w-56 shrink-0 flex-col overflow-y-auto border-r border-kumo-hairline bg-kumo-base md:flex">
        <div className="flex h-14 shrink-0 items-center gap-2.5 px-5">
          <Logo size={26} />
          <span className="text-[15px] font-semibold tracking-tight text-kumo-strong">Paydesk</span>
        </div>
        <nav aria-label={t("main")} className="flex-1 px-3 py-2">
          <NavLinks />
        </nav>
      </aside>
      <div className="flex min-w-0 flex-1 flex-col pb-(--bottom-bar)">
        <header className="sticky top-0 z-20 border-b border-kumo-hairline bg-kumo-base">
          <div className="flex h-14 items-center gap-3 px-4 md:px-6">
            <span className="shrink-0 max-[26rem]:hidden md:hidden">
              <Logo size={26} />
            </span>
            <BusinessSwitcher name={businessName} canCreate={env().REGISTRATION === "open"} />
            <div className="ml-auto flex items-center gap-1 max-sm:pointer-coarse:gap-0 sm:gap-3">
              <PaletteButton />
              <Bell mode={mode} />
              <ModeSwitch mode={mode} />
              <UserMenu user={{ name: userName, email: userEmail }} language={language} />
            </div>
          </div>
          {mode === "test" && (
            <div className="group relative flex h-9 items-center gap-3 border-t border-kumo-warning/40 bg-kumo-warning-tint px-4 text-sm text-(--ink-warning) sm:gap-6 md:px-6">
              <div className="flex min-w-0 shrink-0 items-center gap-3">
                <TestMode />
                {/* On a phone, the moved clock takes its place. */}
                <p className="min-w-0 truncate max-sm:group-has-[[data-clock]]:hidden">
                  {t.rich("noMoney", { more: (more) => <span className="max-sm:hidden">{more}</span> })}
                </p>
              </div>
              <ClockBar />
            </div>
          )}
          {session.mustVerifyEmail ? <VerifyEmailBar email={userEmail} /> : mode === "live" && <NoGatewayBar />}
        </header>
        <HeldBar />
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto w-full max-w-7xl flex-1 scroll-mt-40 px-4 py-6 outline-none md:px-6 md:py-8"
        >
          <ComingPage>
            <AddressedTenant mode={mode} business={{ id: businessId, name: businessName }}>
              {children}
            </AddressedTenant>
          </ComingPage>
        </main>
      </div>
      <BottomBar />
    </div>
  );
}
