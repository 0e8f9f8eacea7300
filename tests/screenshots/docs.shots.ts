import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { pages } from "@/tests/support/pages";
import { test } from "@/tests/support/visits";

const folder = process.env.SHOTS_FOLDER ?? "docs/images";
const desktop = { width: 1240, height: 780 };
const phone = { width: 360, height: 700 };

/** The pictures of README and docs/, by the listed pages that they show. */
const pictures = [
  { file: "overview", shows: "overview", size: { ...desktop, height: 1520 } },
  { file: "payment-links", shows: "payment-links", size: desktop },
  { file: "subscription", shows: "subscription-pastdue", size: { ...desktop, height: 1180 } },
  { file: "webhook", shows: "webhook-failing", size: desktop },
  { file: "settings", shows: "settings", size: { ...desktop, height: 1860 } },
  { file: "pay-page", shows: "pay-form", size: phone },
] as const;

/** Small enough to be read with the page that shows it. */
const mostBytes = 200_000;

async function keep(page: Page, file: string): Promise<void> {
  const path = join(folder, `${file}.png`);
  await page.screenshot({ path });
  expect(statSync(path).size, `${file}.png in bytes`).toBeLessThan(mostBytes);
}

test("the pictures of README and docs", async ({ page: canvas, visit }) => {
  for (const { file, shows, size } of pictures) {
    const listed = pages.find(({ name }) => name === shows);
    if (!listed) throw new Error(`no page ${shows}`);
    const { page } = await visit.prepare(listed);
    await page.setViewportSize(size);
    await visit.open(page, listed);
    await keep(page, file);
  }
  const shown = (file: string) =>
    `data:image/png;base64,${readFileSync(join(folder, `${file}.png`)).toString("base64")}`;
  await canvas.setViewportSize({ width: 1240, height: 620 });
  await canvas.goto("about:blank");
  await canvas.setContent(`
    <body style="margin:0;background:#e7e5e4;display:flex;gap:40px;height:620px;align-items:center;justify-content:center">
      <img src="${shown("pay-page")}" style="height:560px;border-radius:28px;box-shadow:0 8px 30px #0003;border:6px solid #1c1917">
      <img src="${shown("payment-links")}" style="width:810px;border-radius:12px;box-shadow:0 8px 30px #0003">
    </body>`);
  await keep(canvas, "tour");
  for (const file of ["pay-page", "payment-links"]) rmSync(join(folder, `${file}.png`)); // parts of it
});
