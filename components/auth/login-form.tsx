"use client";

import { SignInForm } from "./sign-in-form";

/** Signs in and goes where the person wanted to be. */
export function LoginForm({ next }: { next: string }) {
  return <SignInForm onDone={() => go(next)} />;
}

/** A whole page load: nothing that was fetched for nobody, or for somebody else, stays in memory. */
async function go(next: string): Promise<null> {
  window.location.assign(next);
  return new Promise(() => undefined);
}
