/** Stores a browser's preference for a year, where the server can read it. */
export function savePreference(name: string, value: string): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and on plain http
  document.cookie = `${name}=${value}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  // Without this, a page that was opened at once had the former value now and then in Chromium.
  void document.cookie;
}
