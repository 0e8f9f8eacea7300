import { LinkifyIt } from "linkify-it";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll } from "vitest";
import { db } from "@/lib/core/db";
import { createMerchant } from "@/tests/support/factory";
import { filledWith, mailProps, queueEvery, writtenMails } from "@/tests/support/mails";
import { payloads } from "@/tests/support/payloads";
import { fault, full, type Outcome } from "./fault";
import { openBrowser } from "./phone";
import { type Rig, startRig } from "./rig";

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

/** Finds the addresses that mail programs turn into links. */
const finder = new LinkifyIt({ fuzzyIP: true, fuzzyLink: true, fuzzyEmail: true });
finder.tlds(["com", "example", "net", "org"]);

const isOurs = (url: string) => url.startsWith("https://pay.shop.example/");

/** Opens a mail in the browser, like a mail program without protection. */
async function look(page: Page, html: string) {
  await page.setContent(html);
  return page.evaluate(() => ({
    links: [...document.querySelectorAll("[href], [src], [action]")].map(
      (element) => element.getAttribute("href") ?? element.getAttribute("src") ?? element.getAttribute("action") ?? "",
    ),
    foreignElements: [...document.querySelectorAll("*")].filter(
      (element) =>
        !/^(html|head|meta|title|style|body|table|tbody|tr|td|div|p|span|h1|strong|a|br|blockquote)$/.test(
          element.localName,
        ) || [...element.attributes].some(({ name }) => name.startsWith("on")),
    ).length,
    shown: document.body.innerText,
  }));
}

async function run(count: number): Promise<Outcome> {
  const ids: string[] = [];
  for (const payload of payloads.slice(0, count)) {
    const { businessId } = await createMerchant(payload);
    ids.push(...(await queueEvery(businessId, (template) => filledWith(template, payload))));
  }
  const mails = await writtenMails(ids);
  const wrong = {
    "scripts run": 0,
    "requests made": 0,
    "links that are not ours": 0,
    "elements that are not ours": 0,
    "mails that lead away by themselves": 0,
  };
  const open = async () => {
    const page = await browser.newPage();
    page.on("dialog", (dialog) => {
      wrong["scripts run"]++;
      void dialog.dismiss().catch(() => undefined);
    });
    await page.route("**", (route) => {
      wrong["requests made"]++;
      return route.abort();
    });
    return page;
  };
  let page = await open();
  for (const { html, text, subject } of mails) {
    const seen = await look(page, html ?? "").catch(() => null);
    if (!seen) {
      wrong["mails that lead away by themselves"]++;
      await page.close();
      page = await open();
      continue;
    }
    const words = [seen.shown, text ?? "", subject ?? ""];
    const found = words.flatMap((part) => finder.match(part)?.map(({ url }) => url) ?? []);
    wrong["links that are not ours"] += [...seen.links, ...found].filter((url) => !isOurs(url)).length;
    wrong["elements that are not ours"] += seen.foreignElements;
  }
  await page.close();
  const { length } = await db.email.findMany({ where: { id: { in: ids }, html: { not: null } }, select: { id: true } });
  if (length !== ids.length || ids.length < count * Object.keys(mailProps).length) throw new Error("mails are missing");
  return { done: `${count} payloads in every field of ${Object.keys(mailProps).length} mails, ${length} mails`, wrong };
}

fault({
  id: "S9",
  title: "markup and addresses echoed in e-mails",
  minutes: 10,
  run: () => run(full ? payloads.length : 12),
  control: {
    without: "the escaping of untrusted texts",
    mutations: [
      {
        file: "components/mail-templates/frame.tsx",
        find: "<strong style={{ fontWeight: 600 }}>{value}</strong>",
        replace: "<strong style={{ fontWeight: 600 }} dangerouslySetInnerHTML={{ __html: value }} />",
      },
      {
        file: "lib/outbox/mail/untrusted-text.ts",
        find: 'return line(cut) || "–";',
        replace: "return words;",
      },
    ],
    finds: ["scripts run", "links that are not ours"],
    run: async (mutations) => {
      await rig.weaken("s9", mutations);
      return run(full ? payloads.length : 12);
    },
  },
});
