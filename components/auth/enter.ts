import { letGo } from "@/components/ui/unsaved";
import { attemptSignIn } from "./attempt-sign-in";

/** Signs in with what was just set. Whoever has a second factor, or does not get in, goes on at the sign-in page. */
export async function enter(email: string, password: string): Promise<void> {
  const error = await attemptSignIn({ email, password });
  letGo();
  // A whole page load: nothing that was fetched for nobody, or for somebody else, stays in memory.
  window.location.assign(error === null ? "/" : "/login");
  await new Promise(() => undefined);
}
