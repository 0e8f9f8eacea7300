import { expect, it } from "vitest";
import { eventWords } from "@/lib/resources/timeline/entries";
import en from "@/messages/en";
import { payerTexts } from "@/messages/payer/texts";

it("a timeline names each reason of a decline in the words of the payments, not in those for the payer", () => {
  const { reason: words } = en.payments;
  for (const [reason, text] of Object.entries(payerTexts.en.declines)) {
    const { detail } = eventWords("payment.failed", { amount_cents: 1500, currency: "EUR", reason });
    expect(words[reason as keyof typeof words].startsWith(detail ?? "none"), reason).toBe(true);
    expect(detail).not.toBe(text);
  }
});

it("a timeline says only what an event means in every case", () => {
  // An unpaid subscription recovers when one period is paid. A tokenization is also updated when its customer's e-mail changes.
  expect(eventWords("subscription.recovered", {}).text).toBe("Active again");
  expect(eventWords("tokenization.updated", {}).text).toBe("E-mail, metadata or notes changed");
});
