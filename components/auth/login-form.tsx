"use client";

import { SignInForm } from "./sign-in-form";

export function LoginForm({ next }: { next: string }) {
  return <SignInForm onDone={() => go(next)} />;
}

/** A full page load drops everything that was fetched before the sign-in. Back does not lead to the form again. */
async function go(next: string): Promise<null> {
  window.location.replace(next);
  return new Promise(() => undefined);
}
