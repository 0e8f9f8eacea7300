import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { type DeclineReason, isDeclineReason } from "@/lib/gateways/reasons";
import { type Behaviour, testCards } from "@/lib/gateways/sandbox/cards";
import { payerTexts } from "@/messages/payer/texts";
import { pay, visit } from "@/tests/support/payer";
import { attempts, makeBusiness, makeLink } from "@/tests/support/payer-rows";

// Every test card that the page offers, to the payer's last page. These pages have no scripts: what a browser adds is in payer.spec.ts.

let business: number;
beforeAll(async () => {
  business = await makeBusiness();
});

const asksFirst = new Set<Behaviour>(["challenge", "challenge_once", "challenge_always"]);

const reasonOf: Partial<Record<Behaviour, DeclineReason>> = {
  late_decline: "card_declined",
  saved_declined: "card_declined",
  risk_highest: "card_blocked",
};

/** Follows redirects, and the reloads of a page that waits for the outcome, as a browser does. */
async function lastPage(path: string): Promise<string> {
  for (const deadline = Date.now() + 50_000; Date.now() < deadline; ) {
    const { location, headers, text } = await visit(path);
    const waits = headers.has("refresh") && text.includes("don’t pay again");
    if (!location && !waits) return text.replaceAll("&#x27;", "'");
    if (location) path = location;
    else await sleep(500);
  }
  throw new Error(`${path} still waits`);
}

it.concurrent.each(testCards)("$number: $label", async ({ number, brand, last4, behaviour }) => {
  const { id } = await makeLink(business);
  let { location } = await pay(id, number, { cvc: brand === "amex" ? "1234" : "123" });
  if (asksFirst.has(behaviour)) {
    expect((await visit(location)).text).toContain("Sandbox Bank");
    ({ location } = await visit(location, { form: { answer: "approve" } }));
  }
  const text = await lastPage(location);
  const reason = reasonOf[behaviour] ?? behaviour;
  if (isDeclineReason(reason)) {
    expect(text).toContain(payerTexts.en.declines[reason]);
    expect(text).toContain("You have not been charged.");
    expect(await attempts(id)).toMatchObject([{ status: "failed", reason }]);
    return;
  }
  expect(text).toContain("Thank you");
  expect(text).toContain(`ending in ${last4}`);
  const receipt = await visit(/\/receipt\/[\w-]+/.exec(text)?.[0] ?? "");
  expect(receipt.text).toContain("€10.50");
  expect(await attempts(id)).toMatchObject([{ status: "succeeded" }]);
});
