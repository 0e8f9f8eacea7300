import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium } from "playwright";

const debianChromium = "/usr/bin/chromium";

/** A browser that finds no host but this machine. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH || (existsSync(debianChromium) ? debianChromium : undefined),
    args: [
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ],
  });
}

let phones = 0;

/** A payer's phone with an address of its own. */
export function openPhone(browser: Browser): Promise<BrowserContext> {
  phones++;
  return browser.newContext({
    baseURL: process.env.TEST_URL,
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    extraHTTPHeaders: { "X-Forwarded-For": `10.200.${(phones >> 8) & 255}.${phones & 255}` },
  });
}
