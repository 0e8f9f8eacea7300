import { allowLeaving } from "@/components/ui/unsaved";
import { attemptSignIn } from "./attempt-sign-in";

/** Signs in with the new password. Goes to the sign-in page if that fails or a second factor is needed. */
export async function enter(email: string, password: string, signInPath = "/login"): Promise<void> {
  const error = await attemptSignIn({ email, password });
  allowLeaving();
  // A full page load drops everything that was fetched before the sign-in.
  // Replaces the page, so that Back does not show a form to a person who is signed in.
  window.location.replace(error === null ? "/" : signInPath);
  await new Promise(() => undefined);
}
