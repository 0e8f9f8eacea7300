import { signIn } from "next-auth/react";

/** Signs in with what was just set. Whoever has a second factor, or does not get in, goes on at the sign-in page. */
export async function enter(email: string, password: string): Promise<void> {
  const result = await signIn("credentials", { email, password, redirect: false }).catch(() => undefined);
  // A whole page load: nothing that was fetched for nobody, or for somebody else, stays in memory.
  window.location.assign(result?.ok && !result.error ? "/" : "/login");
  await new Promise(() => undefined);
}
