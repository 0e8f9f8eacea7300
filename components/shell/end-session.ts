import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useToasts } from "@/components/ui/toasts";
import { mayLeave, stay } from "@/components/ui/unsaved";
import { pauseSessionWatch } from "@/lib/client/session-end";
import { forgetPlaces } from "./recent-places";

/**
 * Runs `work`, which ends this browser's session, then opens the sign-in page. Asks about unsaved changes first.
 * @param onEnded runs before the sign-in page opens
 */
export async function endSession(work: () => Promise<unknown>, onEnded = (): void => undefined): Promise<void> {
  if (!(await mayLeave())) return;
  const watchAgain = pauseSessionWatch();
  try {
    await work();
    const { signOut } = await import("next-auth/react");
    await signOut({ redirect: false });
    forgetPlaces();
    onEnded();
    window.location.assign("/login");
  } catch (error) {
    watchAgain();
    stay();
    throw error;
  }
}

export function useSignOut(): () => Promise<void> {
  const t = useTranslations("shell.userMenu");
  const toasts = useToasts();
  const cache = useQueryClient();
  return () =>
    endSession(
      async () => undefined,
      () => cache.clear(),
    ).catch(() => toasts.add({ title: t("stillSignedIn"), description: t("signOutFailed") }));
}
