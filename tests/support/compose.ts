import type { Page } from "@playwright/test";

/** Sets the text that an input method composes in the focused field, such as "に" before it is confirmed. "" cancels it. */
export async function compose(page: Page, text: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
  await devtools.detach();
}
