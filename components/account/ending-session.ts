import { mayLeave, stay } from "@/components/ui/unsaved";
import { pauseSessionWatch } from "@/lib/client/session-end";

/** Does what ends this browser's session, and goes to the sign-in; nothing where somebody would rather keep what is typed. */
export async function endingSession(work: () => Promise<unknown>): Promise<void> {
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
