import { join } from "node:path";
import { pages } from "@/tests/support/pages";
import { loaded, test } from "@/tests/support/visits";

const folder = process.env.SHOTS_FOLDER ?? "screenshots";
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

for (const listed of pages) {
  test(listed.name, async ({ visit }) => {
    const { page } = await visit.prepare(listed);
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
      await visit.open(page, listed);
      // All of the page in the window: a picture beyond it would lay out the frame of a mail anew while it is taken.
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ ...viewport, height: Math.max(height, viewport.height) });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await loaded(page);
        await page.screenshot({ path: join(folder, `${listed.name}.${size}.${colorScheme}.png`) });
      }
    }
  });
}
