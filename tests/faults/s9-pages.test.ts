import type { Browser, BrowserContext, Page } from "playwright";
import { afterAll, beforeAll } from "vitest";
import { payloads } from "@/tests/support/payloads";
import { fault, full, type Outcome } from "./fault";
import { openBrowser } from "./phone";
import { type Rig, startRig } from "./rig";
import { type Look, plant } from "./s9-rows";
import { judgeAnswer, judgePage, nothing, referenceScript, type Wrong, watchedBrowser } from "./s9-watch";

let rig: Rig;
let browser: Browser;
beforeAll(async () => {
  rig = await startRig();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await rig?.stop();
});

/** Payloads per page: a business's lists show 25 rows. */
const payloadsPerRun = 5;
/** One payload of each kind, for the short run. */
const few = ["<img src=x onerror=alert(1)>", '"><script>alert(1)</script>', "javascript:alert(1)"];

const ourTitle = /^(([A-Za-z'’ -]+ · )?Paydesk|[^<>]*)$/;

async function visit(page: Page, look: Look, scripts: boolean, wrong: Wrong, log: (what: string) => void) {
  const answer = await page.goto(look.path, { waitUntil: "load" });
  if (!answer) throw new Error(`${look.path}: no answer`);
  if (answer.status() >= 500) {
    wrong["pages that failed"]++;
    log(`${answer.status()}`);
  }
  await judgeAnswer(answer, scripts, wrong);
  const seen = await judgePage(page, look.words, wrong, log);
  const ours = referenceScript.test(new URL(answer.url()).pathname) ? 1 : 0;
  if (!scripts && seen.scripts > ours) wrong["pages with a script that must have none"]++;
  if (scripts && !ourTitle.test(seen.title)) {
    wrong["titles that are not ours"]++;
    log(`title: ${seen.title}`);
  }
  if (look.open) await openMore(page, look, wrong, log);
}

/** Opens a page's sheets and menus, which show the same payloads. */
async function openMore(page: Page, { open, words }: Look, wrong: Wrong, log: (what: string) => void): Promise<void> {
  const again = () => judgePage(page, words, wrong, log);
  // The mode's button is disabled until the page takes clicks.
  const mode = page.getByRole("button", { name: "Test", exact: true, includeHidden: true });
  await mode.and(page.locator(":enabled")).first().waitFor({ state: "attached" });
  if (open === "edit") {
    await page
      .getByRole("button", { name: /^Actions for/ })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await page.getByRole("dialog", { name: "Edit payment link" }).waitFor();
    await again();
  }
  if (open === "delivery") {
    await page.getByRole("button", { name: "payment_link.paid" }).click();
    await page.getByRole("dialog", { name: "Delivery" }).getByText("500").first().waitFor();
    await again();
  }
  if (open === "audit") {
    for (const opener of await page.getByRole("button", { name: "Settings changed" }).all()) {
      await opener.click();
      await page.getByRole("dialog").getByText("Before and after").waitFor();
      await again();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
  }
  if (open === "palette") {
    await page.keyboard.press("Control+k");
    const word = words[0] ?? "";
    await page.getByRole("combobox", { name: "Search or create" }).fill(word);
    // Payloads that look like an e-mail link to a customer.
    await page
      .getByText("No results for")
      .or(page.getByRole("option").filter({ hasText: word }))
      .first()
      .waitFor();
    await again();
  }
  if (open === "import") {
    const name = `${few[0]}.csv`;
    const rows = few.map((word) =>
      [word, "EUR", "10.50", word].map((cell) => `"${cell.replace(/"/g, '""')}"`).join(","),
    );
    const buffer = Buffer.from(["email,currency,amount,title", ...rows].join("\r\n"));
    await page.getByLabel("CSV file").setInputFiles({ name, mimeType: "text/csv", buffer });
    await page.getByText("with errors", { exact: false }).first().waitFor();
    await judgePage(page, [...few, name], wrong, log);
  }
}

/** Visits all pages, a few tabs at a time. */
async function walk(context: BrowserContext, looks: Look[], scripts: boolean, wrong: Wrong, aloud: boolean) {
  const waiting = [...looks];
  const tab = async () => {
    const page = await context.newPage();
    page.setDefaultTimeout(90_000); // for slow machines
    for (let look = waiting.shift(); look; look = waiting.shift()) {
      const { path } = look;
      const log = (what: string) => aloud && console.error(`${path}: ${what}`);
      await visit(page, look, scripts, wrong, log).catch((error: unknown) => {
        wrong["pages that failed"]++;
        log(String(error).slice(0, 500));
      });
    }
    await page.close();
  };
  await Promise.all([tab(), tab(), tab()]);
}

async function run(words: readonly string[], unprotected = false): Promise<Outcome> {
  const wrong = nothing();
  let pages = 0;
  for (let at = 0; at < words.length; at += payloadsPerRun) {
    const others = payloads.filter((word) => !words.slice(at, at + payloadsPerRun).includes(word));
    const planted = await plant(
      words.slice(at, at + payloadsPerRun),
      [...others, ...others].slice(at, at + payloadsPerRun),
    );
    const inside = await watchedBrowser(browser, wrong, { cookie: planted.cookie, unprotected });
    const outside = await watchedBrowser(browser, wrong, { unprotected });
    // The control needs only a few pages.
    const dashboard = unprotected ? planted.dashboard.slice(1, 4) : planted.dashboard;
    await walk(inside, dashboard, true, wrong, !unprotected);
    const open = unprotected ? planted.open.slice(0, 8) : planted.open;
    await walk(outside, open, false, wrong, !unprotected);
    pages += dashboard.length + open.length;
    await inside.close();
    await outside.close();
  }
  return { done: `${words.length} payloads in every field, ${pages} pages`, wrong };
}

fault({
  id: "S9",
  title: "markup echoed in pages",
  minutes: 40,
  run: () => run(full ? payloads : few),
  control: {
    without: "escaping and the policies",
    mutations: [
      {
        file: "lib/payer/document.ts",
        find: "(page.body)",
        replace: `(page.body).replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')`,
      },
      { file: "lib/payer/document.ts", find: "\"default-src 'none'\",", replace: '"default-src *",' },
    ],
    finds: ["scripts run", "weak policies"],
    run: async (mutations) => {
      await rig.weaken("s9-pages", mutations);
      return run(few.slice(0, 2), true);
    },
  },
});
