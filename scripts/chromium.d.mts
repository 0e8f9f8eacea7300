/** The path of a working Chromium; empty for Playwright's own. */
export function findChromium(): Promise<string>;
