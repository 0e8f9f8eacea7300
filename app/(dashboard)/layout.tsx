import type { ReactNode } from "react";
import { AppShell } from "@/components/shell/app-shell";
import { Providers } from "@/components/shell/providers";
import { ownBusinessesQueryOptions } from "@/lib/resources/account/queries";
import { notificationsQueryOptions } from "@/lib/resources/notifications/queries";
import { FirstData, type Load } from "./first-data";
import { currentClock } from "./own-api";
import { currentMode, currentSession, currentSettings } from "./session";

/** The whole page would wait for a slow one of these. What is not there by then, the browser reads. */
const mostFrameMs = 1_000;

const loadFrame: Load = (run) =>
  Promise.race([
    Promise.all([run(ownBusinessesQueryOptions()), run(notificationsQueryOptions())]),
    new Promise((resolve) => setTimeout(resolve, mostFrameMs)),
  ]);

/**
 * Each page checks the session itself (requireSession): a layout does not know its address and is not rendered again on
 * navigation. A unit test checks that every page does.
 */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const session = await currentSession();
  const [settings, clock] = await Promise.all([currentSettings(), session && currentClock()]);
  if (!session || !settings) return children;
  const mode = await currentMode();
  const { userId, userEmail: email, businessId, role } = session;
  return (
    <Providers mode={mode} person={{ userId, email, businessId, role }} settings={settings} clock={clock}>
      <FirstData load={loadFrame}>
        <AppShell session={session} mode={mode}>
          {children}
        </AppShell>
      </FirstData>
    </Providers>
  );
}
