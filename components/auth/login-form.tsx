"use client";

import { SignInForm } from "./sign-in-form";

/** Signs in and goes where the person wanted to be. */
export function LoginForm({ next }: { next: string }) {
  return <SignInForm onDone={() => go(next)} />;
}

/** Loads the whole page: nothing fetched before the sign-in, or for another person, stays in memory. */
async function go(next: string): Promise<null> {
  window.location.assign(next);
  return new Promise(() => undefined);
}
