import { afterAll, beforeAll } from "vitest";
import { db } from "@/lib/core/db";
import { payAt, saveCardAt } from "@/tests/support/checkout";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { hostileUrls, rightUrls } from "@/tests/support/hostile-urls";
import { baseUrl, call, type Reply } from "@/tests/support/http";
import { fault, full, type Outcome } from "./fault";
import { mapConcurrently } from "./map-concurrently";
import { type Rig, startRig } from "./rig";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig?.stop());

const link = { email: "ada@example.com", currency: "EUR", amount: "1050", title: "Order 1001", send_email: false };
const card = { email: "ada@example.com", title: "Card on file", description: "For later orders" };
const refusal = '"redirect_url":["The redirect_url must ';
/** Names under which other products take an address to lead to. */
const parameters = ["redirect_url", "return_url", "next", "url", "callbackUrl", "go", "continue", "success_url"];
const evil = "https://evil.example/";

/** Every way in which a redirect_url gets into the database. */
async function waysIn({ key, liveKey }: Merchant): Promise<((redirect_url: string) => Promise<Reply>)[]> {
  const { json } = await call("POST", "/payment-links", { key, body: link });
  const imported = (redirect_url: string) => ({ file: "links.csv", rows: [{ row: 2, ...link, redirect_url }] });
  return [
    (redirect_url) => call("POST", "/payment-links", { key, body: { ...link, redirect_url } }),
    (redirect_url) => call("POST", "/payment-links", { key: liveKey, body: { ...link, redirect_url } }),
    (redirect_url) => call("PUT", `/payment-links/${json.data._id}`, { key, body: { ...link, redirect_url } }),
    (redirect_url) => call("POST", "/tokenizations/create-token", { key, body: { ...card, redirect_url } }),
    (redirect_url) => call("POST", "/payment-links/import", { key, body: imported(redirect_url) }),
  ];
}

/** Where a document leads to, apart from our own pages. */
async function targetsOf(path: string): Promise<string[]> {
  const headers = { Referer: evil, "X-Forwarded-Host": "evil.example", "X-Original-URL": evil };
  const reply = await fetch(`${baseUrl()}${path}`, { redirect: "manual", headers });
  const text = await reply.text();
  const found = [
    ...[...text.matchAll(/(?:href|action|src)="([^"]*)"/g)].map(([, url = ""]) => url.replaceAll("&amp;", "&")),
    ...(reply.headers.get("refresh")?.split("url=").slice(1) ?? []),
    ...[reply.headers.get("location") ?? ""],
  ];
  return found.filter((url) => url !== "" && !/^\/[^/\\]/.test(url));
}

async function run(): Promise<Outcome> {
  const wrong = { accepted: 0, "stored otherwise than sent": 0, "refused though right": 0, "led elsewhere": 0 };
  const merchant = await createMerchant();
  const ways = await waysIn(merchant);
  const urls = full ? hostileUrls : hostileUrls.filter((_, index) => index % 4 === 0);
  const tried = ways.flatMap((send) => urls.map((url) => ({ send, url })));
  await mapConcurrently(8, tried, async ({ send, url }) => {
    const { status, text } = await send(url);
    // NUL is no part of JSON.
    if (status >= 500 || (status !== 400 && !text.includes(refusal))) wrong.accepted++;
  });
  const where = { business_id: merchant.businessId, NOT: { redirect_url: null } };
  wrong.accepted += (await db.paymentLink.count({ where })) + (await db.tokenization.count({ where }));

  const { key } = merchant;
  const hostile = parameters.map((name) => `&${name}=${encodeURIComponent(evil)}`).join("");
  for (const redirect_url of full ? rightUrls : rightUrls.slice(-2)) {
    const paid = await call("POST", "/payment-links", { key, body: { ...link, redirect_url } });
    const saved = await call("POST", "/tokenizations/create-token", { key, body: { ...card, redirect_url } });
    if (paid.status !== 200 || saved.status !== 200) {
      wrong["refused though right"]++;
      continue;
    }
    const { _id } = paid.json.data;
    const stored = await db.paymentLink.findUniqueOrThrow({ where: { id: _id } });
    for (const value of [stored.redirect_url, paid.json.data.redirect_url, saved.json.data.redirect_url])
      if (value !== redirect_url) wrong["stored otherwise than sent"]++;
    await payAt(`/pay?id=${_id}${hostile}`);
    const { token } = saved.json.data;
    await saveCardAt(`/activate/${token}`);
    for (const path of [
      `/pay?id=${_id}`,
      `/thank-you?id=${_id}`,
      `/activate/${token}?done=1`,
      `/thank-you?token=${token}`,
    ])
      for (const url of await targetsOf(path + hostile))
        if (url !== new URL(redirect_url).href) wrong["led elsewhere"]++;
  }
  return { done: `${urls.length} URLs in ${ways.length} ways, ${rightUrls.length} right ones followed`, wrong };
}

fault({
  id: "S8",
  title: "hostile redirect URLs",
  minutes: 5,
  run,
  control: {
    without: "the check of the URL",
    mutations: [
      {
        file: "lib/http/fields.ts",
        find: "if (!hostShape.test(host) || !URL.canParse(value)) return false;",
        replace: "if (URL.canParse(value)) return true;",
      },
    ],
    run: async (mutations) => {
      await rig.weaken("s8", mutations);
      return run();
    },
  },
});
