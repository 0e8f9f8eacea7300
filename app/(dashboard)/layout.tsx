import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { AppShell } from "@/components/shell/app-shell";
import { Providers } from "@/components/shell/providers";
import { isTheme, themeCookie } from "@/components/shell/theme";
import { currentClock } from "./own-api";
import { currentMode, currentSession, currentSettings } from "./session";

/**
 * Each page checks the session itself (requireSession): a layout does not know its address and is not rendered again on
 * navigation. A unit test checks that every page does.
 */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const session = await currentSession();
  const settings = await currentSettings();
  if (!session || !settings) return children;
  const jar = await cookies();
  const theme = jar.get(themeCookie)?.value;
  const mode = await currentMode();
  const { userId, userEmail: email, businessId, role } = session;
  return (
    <Providers
      mode={mode}
      person={{ userId, email, businessId, role }}
      settings={settings}
      clock={await currentClock()}
    >
      <AppShell session={session} mode={mode} theme={isTheme(theme) ? theme : "system"}>
        {children}
      </AppShell>
    </Providers>
  );
}
