import { randomBytes, randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { newToken } from "@/lib/auth/token";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { unsubscribeLink } from "@/lib/outbox/notifications/unsubscribe";
import { createPasswordReset } from "@/lib/resources/registrations/service";
import { logoExample } from "@/lib/resources/settings/contract";
import { payAt, saveCardAt } from "@/tests/support/checkout";
import { createKey, createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { create } from "@/tests/support/samples";
import { callAs, signedIn } from "@/tests/support/sign-in";
import { fault, full, type Outcome } from "./fault";
import { mapConcurrently } from "./map-concurrently";
import { type Rig, startRig } from "./rig";

/** Both limits for each minute: at full numbers the defaults. */
const failuresPerMinute = full ? 60 : 15;
const requestsPerMinute = full ? 300 : 60;

let rig: Rig;
beforeAll(async () => {
  const limits = { failures: String(failuresPerMinute), requests: String(requestsPerMinute) };
  rig = await startRig({ ADDRESS_FAILURES_PER_MINUTE: limits.failures, RATE_LIMIT_PER_MINUTE: limits.requests });
});
afterAll(() => rig?.stop());

interface Asked {
  path: string;
  headers?: Record<string, string>;
  method?: string;
}

interface Target {
  name: string;
  /** A guess that finds nothing. */
  guess: () => Asked;
  /** Something that exists, with the status of its answer. */
  good: Asked & { status: number };
  /** What a guess gets below the limit. */
  refused: number;
  allowed?: number;
  /** The client's address for one guess; by default the same for all. */
  from?: () => string;
}

/** Texts of every row that a guess could reach. */
const payerData = ["ada.secret@example.com", "Order of Ada", "Ada Books"];

const token = () => randomBytes(32).toString("base64url");
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

const page = (name: string, at: (secret: string) => string, good: string, guess = token): Target => ({
  name,
  guess: () => ({ path: at(guess()) }),
  good: { path: at(good), status: 200 },
  refused: 404,
});

async function makePages(merchant: Merchant, cookie: string): Promise<Target[]> {
  const { key, businessId } = merchant;
  const own = { email: payerData[0], title: payerData[1] };
  const [open, paid, challenged] = await Promise.all([1, 2, 3].map(() => create(key, "payment_links", own)));
  const thanks = await payAt(`/pay?id=${paid}`);
  const { receipt_token: receipt } = await db.payment.findFirstOrThrow({ where: { payment_link_id: paid } });
  const bank = (await payAt(`/pay?id=${challenged}`, "4000000000003220")).location;
  if (!thanks.location.startsWith("/thank-you") || !receipt || !bank.startsWith("/sandbox/3ds/"))
    throw new Error("the pages were not made");
  const [pending, saved] = await Promise.all(
    [1, 2].map(async () => {
      const id = await create(key, "tokenizations", own);
      return (await call("GET", `/tokenizations/${id}`, { key })).json.data.token;
    }),
  );
  await saveCardAt(`/activate/${saved}`);
  const logo = await callAs(cookie, "PUT", "/settings/logo", { image: logoExample });
  const { logo_hash } = await db.business.findUniqueOrThrow({ where: { id: businessId } });
  if (!logo_hash) throw new Error(`no logo: ${logo.text}`);

  const link = () => newId("pl");
  const week = new Date(Date.now() + 7 * 86_400_000);
  const invitation = newToken();
  await db.invitation.create({
    data: {
      ...{ id: newId("inv"), business_id: businessId, email: payerData[0] ?? "", role: "viewer" },
      ...{ token_hash: invitation.hash, expires_at: week },
    },
  });
  const { id: userId } = await db.user.findFirstOrThrow({
    where: { memberships: { some: { business_id: businessId } } },
  });
  const reset = (await createPasswordReset(db, userId)).url.split("/").at(-1) ?? "";
  const mails = unsubscribeLink({ businessId, livemode: false, email: payerData[0] ?? "", kinds: ["digest"] });
  return [
    page("pay", (id) => `/pay?id=${id}`, open ?? "", link),
    page("transfer", (id) => `/pay?id=${id}&transfer`, open ?? "", link),
    page("thank-you", (id) => `/thank-you?id=${id}`, paid ?? "", link),
    page("thank-you for a card", (one) => `/thank-you?token=${one}`, saved ?? ""),
    page("receipt", (one) => `/receipt/${one}`, receipt),
    page("receipt's PDF", (one) => `/receipt/${one}/pdf`, receipt),
    page("activate", (one) => `/activate/${one}`, pending ?? ""),
    page(
      "3-D Secure",
      (ref) => `/sandbox/3ds/${ref}`,
      bank.split("/").at(-1) ?? "",
      () => `sbx_ch_${randomBytes(20).toString("hex")}`,
    ),
    page(
      "logo",
      (hash) => `/logo/${businessId}/${hash}`,
      logo_hash,
      () => randomBytes(32).toString("hex"),
    ),
    page("invitation", (one) => `/invitation/${one}`, invitation.token),
    page("reset", (one) => `/reset/${one}`, reset),
    page("unsubscribe", (one) => `/unsubscribe/${one}`, mails.split("/").at(-1) ?? ""),
  ];
}

async function targets(): Promise<Target[]> {
  const merchant = await createMerchant(payerData[2]);
  const { cookie } = await signedIn(merchant);
  const pages = await makePages(merchant, cookie);
  const [readOnly, guessing] = await Promise.all([1, 2].map(() => createKey(merchant, ["read"])));
  const id = await create(merchant.key, "payment_links", { email: payerData[0], title: payerData[1] });
  const api = `/api/payment-links/${id}`;
  const unknownKey = () => ({ path: api, headers: bearer(`sk_test_${token()}`) });
  const good = { path: api, headers: bearer(merchant.key), status: 200 };
  const [name = ""] = cookie.split("=");
  const network = () => `2001:db8:1:2:${[1, 2, 3, 4].map(() => randomInt(65_536).toString(16)).join(":")}`;
  return [
    ...pages,
    { name: "API keys", guess: unknownKey, good, refused: 401 },
    { name: "API keys from one /64", guess: unknownKey, good, refused: 401, from: network },
    // Only the address that the proxy saw counts.
    {
      name: "API keys with a forged header",
      guess: unknownKey,
      good,
      refused: 401,
      from: () => `${network()}, 10.9.8.7`,
    },
    {
      name: "sessions",
      guess: () => ({ path: api, headers: { Cookie: `${name}=${token()}` } }),
      good: { path: api, headers: { Cookie: cookie }, status: 200 },
      refused: 401,
    },
    {
      name: "a scope that the key lacks",
      guess: () => ({ path: "/api/payment-links", method: "POST", headers: bearer(readOnly ?? "") }),
      good: { path: api, headers: bearer(readOnly ?? ""), status: 200 },
      refused: 403,
    },
    {
      name: "API ids",
      guess: () => ({ path: `/api/payment-links/${newId("pl")}`, headers: bearer(guessing ?? "") }),
      good: { path: api, headers: bearer(readOnly ?? ""), status: 200 },
      refused: 404,
      allowed: requestsPerMinute, // of the key
    },
  ];
}

/** How often a request found the database busy, since the test began. */
let busy = 0;

/** Sends a request, and sends it again after a 503 with a time to come back, as callers do: a busy machine sometimes answers so. */
async function ask({ path, headers, method = "GET" }: Asked, address: string) {
  for (let tries = 1; ; tries++) {
    const response = await fetch(`${baseUrl()}${path}`, {
      method,
      headers: { ...headers, "X-Forwarded-For": address },
      redirect: "manual",
    });
    const retryAfter = Number(response.headers.get("retry-after"));
    const { status } = response;
    const text = await response.text();
    if (status !== 503 || retryAfter < 1 || tries === 20) return { status, text, retryAfter };
    busy++;
    await sleep(retryAfter * 1_000);
  }
}

async function run(guesses: number): Promise<Outcome> {
  const wrong = {
    "guesses answered beyond the limit": 0,
    "429 without a time": 0,
    "answers with a payer's data": 0,
    "unexpected answers": 0,
    "good ones refused": 0,
  };
  const all = await targets();
  let limited = 0;
  for (const [index, { name, guess, good, refused, allowed = failuresPerMinute, from }] of all.entries()) {
    const client = `10.12.${index}.1`;
    const [begun, busyBefore] = [Date.now(), busy];
    let answered = 0;
    await mapConcurrently(8, Array.from({ length: Math.max(guesses, allowed + 5) }), async () => {
      const { status, text, retryAfter } = await ask(guess(), from?.() ?? client);
      if (status === refused) answered++;
      else if (status !== 429) wrong["unexpected answers"]++;
      else if (retryAfter >= 1 && retryAfter <= 60) limited++;
      else wrong["429 without a time"]++;
      if (payerData.some((words) => text.includes(words))) wrong["answers with a payer's data"]++;
    });
    const minutes = Math.floor((Date.now() - begun) / 60_000) + 1;
    wrong["guesses answered beyond the limit"] += Math.max(0, answered - allowed * minutes);
    // A guess may have been counted before its answer became a 503.
    const isFew = answered + busy - busyBefore < allowed;
    if (isFew) wrong["unexpected answers"]++;
    const shown = await ask(good, from?.() ?? client);
    if (shown.status !== good.status) wrong["good ones refused"]++;
    if (shown.status !== good.status || isFew) console.error(name, answered, shown.status);
  }
  const made = all.reduce((sum, { allowed = failuresPerMinute }) => sum + Math.max(guesses, allowed + 5), 0);
  return {
    done: `${all.length} kinds of secrets, ${made.toLocaleString("en")} guesses, ${limited} of them 429, ${busy} times 503`,
    wrong,
  };
}

fault({
  id: "S12",
  title: "guessing links and tokens",
  minutes: 8,
  run: () => run(full ? 1_000 : 20),
  control: {
    without: "the count of failures",
    mutations: [
      {
        file: "lib/http/rate-limit.ts",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
        find: "await failures.consume(`${of} ${networkOf(clientOf(request).address)}`);",
        replace: "",
      },
    ],
    run: async (mutations) => {
      await rig.weaken("s12", mutations);
      return run(failuresPerMinute + 20);
    },
  },
});
