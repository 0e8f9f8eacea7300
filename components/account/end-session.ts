import { mayLeave, stay } from "@/components/ui/unsaved";
import { pauseSessionWatch } from "@/lib/client/session-end";

/** Runs `work`, which ends this browser's session, then opens the sign-in page. Asks about unsaved changes first. */
export async function endSession(work: () => Promise<unknown>): Promise<void> {
  if (!(await mayLeave())) return;
  const watchAgain = pauseSessionWatch();
  try {
    await work();
    const { signOut } = await import("next-auth/react");
    await signOut({ redirect: false });
    window.location.assign("/login");
  } catch (error) {
    watchAgain();
    stay();
    throw error;
  }
}
