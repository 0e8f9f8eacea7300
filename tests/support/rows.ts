import type { Locator, Page } from "@playwright/test";
import { expectHydrated } from "./staff";

/** The side peek beside a list on a wide screen. */
export const sidePeek = (page: Page): Locator => page.getByRole("region", { name: "Side panel" });

/** Goes from a row of a list to its page, by way of the side peek. */
export async function openPageOf(row: Locator): Promise<void> {
  await expectHydrated(row.page());
  await row.click();
  await sidePeek(row.page()).getByRole("link", { name: "Open page" }).click();
}
