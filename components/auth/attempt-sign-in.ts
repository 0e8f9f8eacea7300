interface Credentials {
  email?: string;
  password?: string;
  ticket?: string;
  code?: string;
  /** What the browser's passkey has answered, as JSON. */
  passkey?: string;
}

/**
 * Signs in through next-auth's routes. Its own client would leave the page on a network failure and lose the form.
 * @returns null once signed in, else an error code (lib/auth/options.ts)
 */
export async function attemptSignIn(credentials: Credentials): Promise<string | null> {
  try {
    const token: unknown = await (await fetch("/api/auth/csrf", { cache: "no-store" })).json();
    const { csrfToken } = token as { csrfToken: string };
    const response = await fetch("/api/auth/callback/credentials", {
      method: "POST",
      body: new URLSearchParams({ ...credentials, csrfToken, json: "true" }),
    });
    const { url } = (await response.json()) as { url: string };
    const error = new URL(url, window.location.origin).searchParams.get("error");
    return error ?? (response.ok ? null : "Unavailable");
  } catch {
    return "Unavailable";
  }
}
