interface Given {
  email?: string;
  password?: string;
  ticket?: string;
  code?: string;
}

/**
 * Signs in by next-auth's routes. Not by its own client: that one leaves the page when the network fails, and with the page
 * goes what was typed.
 * @returns null once signed in, or the code of why not (lib/auth/options.ts)
 */
export async function attemptSignIn(given: Given): Promise<string | null> {
  try {
    const token: unknown = await (await fetch("/api/auth/csrf", { cache: "no-store" })).json();
    const { csrfToken } = token as { csrfToken: string };
    const response = await fetch("/api/auth/callback/credentials", {
      method: "POST",
      body: new URLSearchParams({ ...given, csrfToken, callbackUrl: window.location.href, json: "true" }),
    });
    const { url } = (await response.json()) as { url: string };
    const error = new URL(url, window.location.origin).searchParams.get("error");
    return error ?? (response.ok ? null : "Unavailable");
  } catch {
    return "Unavailable";
  }
}
