import { LinkifyIt } from "linkify-it";
import type { Browser } from "playwright";
import { afterAll, beforeAll } from "vitest";
import { db } from "@/lib/db";
import { createMerchant } from "../support/factory";
import { filledWith, mailProps, queueEvery, writtenMails } from "../support/mails";
import { payloads } from "../support/payloads";
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

/** What mail programs make links of by themselves. */
const finder = new LinkifyIt({ fuzzyIP: true, fuzzyLink: true, fuzzyEmail: true });
finder.tlds(["com", "example", "net", "org"]);

const isOurs = (url: string) => url.startsWith("https://pay.shop.example/");

async function run(count: number): Promise<Outcome> {
  const ids: string[] = [];
  for (const payload of payloads.slice(0, count)) {
    const { businessId } = await createMerchant(payload);
    ids.push(...(await queueEvery(businessId, (template) => filledWith(template, payload))));
  }
  const mails = await writtenMails(ids);
  const wrong = { "scripts run": 0, "requests made": 0, "links that are not ours": 0, "elements that are not ours": 0 };
  const page = await browser.newPage();
  page.on("dialog", (dialog) => {
    wrong["scripts run"]++;
    void dialog.dismiss();
  });
  await page.route("**", (route) => {
    wrong["requests made"]++;
    return route.abort();
  });
  for (const { html, text, subject } of mails) {
    await page.setContent(html ?? "");
    const { links, strange, shown } = await page.evaluate(() => ({
      links: [...document.querySelectorAll("[href], [src], [action]")].map(
        (element) =>
          element.getAttribute("href") ?? element.getAttribute("src") ?? element.getAttribute("action") ?? "",
      ),
      strange: [...document.querySelectorAll("*")].filter(
        (element) =>
          !/^(html|head|meta|title|style|body|table|tbody|tr|td|div|p|span|h1|strong|a|br|blockquote)$/.test(
            element.localName,
          ) || [...element.attributes].some(({ name }) => name.startsWith("on")),
      ).length,
      shown: document.body.innerText,
    }));
    const found = [shown, text ?? "", subject ?? ""].flatMap(
      (words) => finder.match(words)?.map(({ url }) => url) ?? [],
    );
    wrong["links that are not ours"] += [...links, ...found].filter((url) => !isOurs(url)).length;
    wrong["elements that are not ours"] += strange;
  }
  await page.close();
  const { length } = await db.email.findMany({ where: { id: { in: ids }, html: { not: null } }, select: { id: true } });
  if (length !== ids.length || ids.length < count * Object.keys(mailProps).length) throw new Error("mails are missing");
  return { done: `${count} payloads in every field of ${Object.keys(mailProps).length} mails, ${length} mails`, wrong };
}

fault({
  id: "S9",
  title: "markup and addresses in what e-mails echo",
  minutes: 10,
  run: () => run(full ? payloads.length : 12),
  control: {
    without: "what makes foreign words text alone",
    run: async () => {
      await rig.weaken("s9", [
        {
          file: "components/mail/frame.tsx",
          find: "<strong style={{ fontWeight: 600 }}>{value}</strong>",
          replace: "<strong style={{ fontWeight: 600 }} dangerouslySetInnerHTML={{ __html: value }} />",
        },
        {
          file: "lib/mail/foreign.ts",
          find: 'return line(cut) || "–";',
          replace: "return words;",
        },
      ]);
      return run(full ? payloads.length : 12);
    },
  },
});
