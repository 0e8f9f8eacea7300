/** The path of a Chromium that starts; empty where Playwright knows it. */
export function findChromium(): Promise<string>;
