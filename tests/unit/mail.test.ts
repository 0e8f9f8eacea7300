import fc from "fast-check";
import { LinkifyIt } from "linkify-it";
import { describe, expect, it } from "vitest";
import { writer } from "@/components/mail-templates/compose";
import type { Letterhead } from "@/lib/outbox/mail/send";
import { failureOf } from "@/lib/outbox/mail/smtp";
import { untrusted, untrustedLines } from "@/lib/outbox/mail/untrusted-text";
import { type Template, templateNames, templates } from "@/lib/resources/emails/templates";
import { plainBrand } from "@/lib/resources/settings/brand";
import en from "@/messages/en";
import { filledWith, mailProps } from "@/tests/support/mails";
import { payloads } from "@/tests/support/payloads";

const head: Letterhead = {
  business_name: "Blue Bottle Books",
  timezone: "Europe/Berlin",
  support_email: null,
  livemode: true,
  brand: plainBrand,
};
const write = (template: Template, over: Partial<Letterhead> = {}, props: object = mailProps[template]) =>
  writer.compose(template, props, { ...head, ...over });

/** Finds what a mail program makes a link of by itself, and errs on the side of finding it. */
const finder = new LinkifyIt({ fuzzyIP: true, fuzzyLink: true, fuzzyEmail: true });
finder.tlds(["com", "example", "net", "org", "io", "de", "exe", "test"]);

const linksIn = (text: string): string[] => finder.match(text)?.map(({ url }) => url) ?? [];

const ours = ["https://pay.shop.example/", "mailto:help@shop.example"];
const isOurs = (url: string) => ours.some((beginning) => url.startsWith(beginning));

const decode = (html: string) =>
  html
    .replace(/<style>[\s\S]*?<\/style>|<[^>]*>/g, "\n")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#x27;/g, "'")
    .replace(/&amp;/g, "&");

const elements = new Set(
  "html head meta title style body table tbody tr td div p span h1 strong a br blockquote i".split(" "),
);

function expectHarmless({ subject, html, text }: { subject: string; html: string; text: string }): void {
  expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
  expect([...subject].length).toBeLessThan(140);
  for (const [, name] of html.matchAll(/<([a-zA-Z][\w-]*)/g)) expect(elements, `<${name}>`).toContain(name);
  expect(html).not.toMatch(/<[^>]*\son\w+\s*=/i);
  for (const [, href = ""] of html.matchAll(/href="([^"]*)"/g)) expect(isOurs(href), href).toBe(true);
  for (const url of [...linksIn(subject), ...linksIn(text), ...linksIn(decode(html))])
    expect(isOurs(url), `becomes a link: ${url}`).toBe(true);
  // Nothing that turns the direction of writing, but isolates that are closed.
  for (const part of [subject, text, decode(html)]) {
    expect(part).not.toMatch(/[\u202a-\u202e\u2066\u2067\u200e\u200f\u061c\u200b\u2060\ufeff]/);
    expect(part.split("\u2068").length).toBe(part.split("\u2069").length);
  }
  expect(text).not.toMatch(/[^\P{Cc}\n]/u);
}

describe.each(templateNames)("%s", (template) => {
  it("names the sender, the subject and the time, in HTML and in plain text", async () => {
    const { subject, html, text } = await write(template);
    expect(subject.length).toBeLessThan(70);
    expect(html).toMatch(/^<!DOCTYPE html/);
    expect(html).toContain('lang="en"');
    expect(html).toContain("prefers-color-scheme:dark");
    expect(text.split("\n").every((line) => !/<\/?[a-z]/.test(line))).toBe(true);
    expect(text).toContain(
      template === "password_reset" || template === "email_verification" ? "Paydesk" : "Blue Bottle Books",
    );
    expectHarmless({ subject, html, text });
  });

  it("is marked as a test in test mode", async () => {
    const { subject, html, text } = await write(template, { livemode: false });
    const staff = templates[template] === "staff";
    expect([subject.startsWith("[Test] "), text.includes("Test mode: no money moves.")]).toEqual([!staff, !staff]);
    expect(html.includes("Test mode: no money moves.")).toBe(!staff);
    expect((await write(template)).text).not.toContain("Test mode");
  });

  it("shows merchants' and payers' input as text only", async () => {
    for (const payload of payloads) {
      const props = filledWith(template, payload);
      expectHarmless(await write(template, { business_name: payload, support_email: "help@shop.example" }, props));
    }
  });

  it("is harmless for any input", async () => {
    const words = fc.oneof(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc
        .array(
          fc.oneof(fc.constantFrom(...payloads), fc.string({ maxLength: 5 }), fc.constantFrom("\u200d", ".", ":", "@")),
          {
            maxLength: 4,
          },
        )
        .map((parts) => parts.join("")),
    );
    await fc.assert(
      fc.asyncProperty(words, async (written) => {
        expectHarmless(await write(template, { business_name: written }, filledWith(template, written)));
      }),
      { numRuns: 60 },
    );
  });
});

describe("mails to payers", () => {
  it("asks for the payment, with one link", async () => {
    const { subject, text } = await write("payment_link");
    expect(subject).toBe("€10.50 to pay: Order 1001");
    expect(text).toContain(`Pay €10.50:\n${mailProps.payment_link.link.payment_url}\n`);
    expect(text).toContain("Pay before: 24 December 2026 at 18:00 (Europe/Berlin)");
    expect(text).toContain("> Two books");
  });

  it("asks for a period's payment without claims about the saved card that it cannot know", async () => {
    const { link } = mailProps.payment_link;
    const about = async (over: Partial<typeof link>) =>
      (await write("payment_link", {}, { link: { ...link, subscription_id: "sub_1", ...over } })).text;
    const at = "2026-11-23T09:00:00.000000Z";
    const neutral = "Please pay for this period of your subscription with";
    const canSave = "After you have paid, you can save a card";
    // No charge failed: there may be a card that the gateway account cannot charge, or an older period is owed.
    expect(await about({})).toContain(neutral);
    expect(await about({})).not.toContain(canSave);
    const declined = await about({ attempt_count: 1 });
    for (const part of ["couldn’t charge your saved card for this period", canSave]) expect(declined).toContain(part);
    // The card is charged unless the transfer arrives.
    const awaiting = await about({ attempt_count: 1, awaiting_transfer_since: at });
    expect(awaiting).toContain(neutral);
    for (const untrue of [canSave, "Use another card"]) expect(awaiting).not.toContain(untrue);
    const retried = await about({ attempt_count: 1, next_attempt_at: at });
    expect(retried).toContain("or the saved card is charged on 23 November 2026");
    expect(retried).not.toContain(canSave);
  });

  it("does not say that money returned by hand, such as cash, is on its way", async () => {
    const { link, payment, refund } = mailProps.refund;
    const manual = { method: "cash", paid_on: "2026-11-20", reference: null } as NonNullable<typeof payment.manual>;
    const { text } = await write("refund", {}, { link, payment: { ...payment, card: null, manual }, refund });
    expect(text).toContain("has returned");
    for (const untrue of ["on its way", "after 10 days"]) expect(text).not.toContain(untrue);
    expect((await write("refund")).text).toContain("on its way");
  });

  it("confirms a payment", async () => {
    const { text } = await write("receipt");
    expect(text).toContain(
      "Amount: €10.50 (EUR)\nPaid on: 21 November 2026 at 10:31 (Europe/Berlin)\nCard: Visa ending in 4242",
    );
    expect(text).toContain(`View receipt:\n${mailProps.receipt.payment.receipt_url}\n`);
  });

  it("confirms a payment with tax by net, tax and total", async () => {
    const { link, payment } = mailProps.receipt;
    const taxed = await write("receipt", {}, { link: { ...link, tax_percent: 7.7, tax_amount: 0.75 }, payment });
    expect(taxed.text).toContain(
      "Amount without tax: €9.75 (EUR)\nTax (7.7%): €0.75 (EUR)\nTotal: €10.50 (EUR)\nPaid on:",
    );
    expect(taxed.text).not.toContain("\nAmount:");
    const { tax_percent, tax_amount, ...older } = link;
    expect((await write("receipt", {}, { link: older, payment })).text).toBe((await write("receipt")).text);
  });

  it("names the tax in a refund, and the refunds of a payment add up to its tax", async () => {
    const { link, payment, refund } = mailProps.refund;
    expect((await write("refund")).text).not.toContain("Tax in the refund");
    const taxOf = async (amount_cents: number, refunded_cents: number) => {
      const { text } = await write(
        "refund",
        {},
        {
          link: { ...link, tax_percent: 19 },
          payment: { ...payment, refunded_amount: refunded_cents / 100 },
          refund: { ...refund, amount_cents },
        },
      );
      return text.match(/Refund: .*\nTax in the refund \(19%\): €([\d.]+) \(EUR\)\n/)?.[1];
    };
    expect(await taxOf(1_050, 1_050)).toBe("1.68");
    // By itself, each of these includes 0.0479, which is rounded to 0.05: 1.75 in total.
    let taxCents = 0;
    for (let refunded = 30; refunded <= 1_050; refunded += 30) taxCents += Number(await taxOf(30, refunded)) * 100;
    expect(taxCents).toBeCloseTo(168);
  });

  it("says why a payment failed, and when or that it is not retried", async () => {
    const first = await write("payment_failed");
    expect(first.text).toContain("There is not enough money on the card.");
    expect(first.text).toContain("Next attempt: 23 November 2026");
    expect(first.text).toContain(`Pay €10.50 now:\n${mailProps.payment_failed.link.payment_url}\n`);
    const { link, payment } = mailProps.payment_failed;
    const last = await write("payment_failed", {}, { link: { ...link, next_attempt_at: null }, payment });
    expect(last.text).not.toContain("Next attempt");
    expect(last.text).toContain("won’t retry this card");
  });

  it("announces a renewal by date in the business's time zone", async () => {
    expect((await write("renewal_notice")).text).toContain("Next charge: 31 January 2027");
    expect((await write("renewal_notice", { timezone: "America/New_York" })).text).toContain(
      "Next charge: 30 January 2027",
    );
    expect((await write("renewal_notice")).text).toContain("Price: €15.00 a month (EUR)");
  });

  it("names the card that expires", async () => {
    expect((await write("card_expiring")).text).toContain("Card: Visa ending in 4242\nExpires: 12/26");
  });

  it("names the reply address, if there is one", async () => {
    expect((await write("receipt", { support_email: "help@shop.example" })).html).toContain("mailto:help@shop.example");
    expect((await write("receipt")).html).not.toContain("mailto:");
  });
});

it.each([
  [false, "New payments, charges of saved cards and refunds fail."],
  [true, "Payments, charges of saved cards and refunds may fail."],
])("says what fails while Stripe refuses a key; the key only lacks a permission: %s", async (permission, sentence) => {
  const { text } = await write("account_broken", {}, { ...mailProps.account_broken, permission });
  const { broken, brokenPart } = en.settings.gateway;
  for (const shown of [text, permission ? brokenPart : broken]) {
    expect(shown).toContain(sentence);
    // A payer may still pay on a page of Stripe's that is open already, and some permissions are not needed to charge.
    expect(shown).not.toContain("nothing is charged");
  }
});

it("removes a sign-in link from the stored copy", async () => {
  for (const template of ["invitation", "password_reset", "email_verification"] as const) {
    const whole = await write(template);
    expect(whole.text).toContain(mailProps[template].link);
    const kept = await write(template, {}, { ...mailProps[template], link: null });
    expect(JSON.stringify(kept)).not.toContain("s3cret");
    expect(kept.text).toContain("the link is not stored");
  }
});

describe("untrusted words", () => {
  it.each([
    ["Order 1001", "Order 1001"],
    ["10.50 at 12:30, v1.2.3", "10.50 at 12:30, v1.2.3"],
    ["Müller & Söhne — 山田 👩‍👧‍👦", "Müller & Söhne — 山田 👩‍👧‍👦"],
    ["Dr. No. 5", "Dr. No. 5"],
    ["a\r\nb\tc", "a b c"],
    ["https://evil.example", "https:\u200a//evil.\u200aexample"],
    ["a@b.com", "a@\u200ab.\u200acom"],
    ["\u202eabc\u200b", "abc"],
    ["שלום", "\u2068שלום\u2069"],
    [" \u200b ", "–"],
  ])("%j is written %j", (written, shown) => expect(untrusted(written)).toBe(shown));

  it("are cut where they are too long", () => {
    expect(untrusted("x".repeat(300), 10)).toBe(`${"x".repeat(10)}…`);
    expect(untrustedLines("a\n\n\n\nb\r\nc")).toEqual(["a", "", "b", "c"]);
  });
});

it.each([
  [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 550, response: "550 no" }, "refused"],
  [{ code: "EMESSAGE", command: "DATA", responseCode: 554, response: "554 no" }, "refused"],
  [{ code: "EENVELOPE", message: "Internationalized mailbox" }, "refused"],
  [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 450, response: "450 wait" }, "later"],
  [{ code: "EENVELOPE", command: "MAIL FROM", responseCode: 550, response: "550 who are you" }, "denied"],
  // Postfix refuses the client, its login and the sender only at RCPT TO.
  [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 554, response: "554 5.7.1 Relay access denied" }, "denied"],
  [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 550, response: "550-5.7.26 Unauthenticated" }, "denied"],
  [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 554, response: "554 5.7.1 Client host rejected" }, "denied"],
  [
    {
      ...{ code: "EENVELOPE", command: "RCPT TO", responseCode: 554 },
      response: "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org",
    },
    "denied",
  ],
  [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 530, response: "530 5.7.0 Log in first" }, "denied"],
  // Sendmail and Exchange use it for a single recipient, too.
  [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 550, response: "550 5.7.1 Not accepted here" }, "policy"],
  [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 550, response: "550 5.1.8 Sender rejected" }, "denied"],
  [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 530, response: "530 Log in first" }, "denied"],
  [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 550, response: "550 5.1.1 No such user" }, "refused"],
  [{ code: "EMESSAGE", command: "DATA", responseCode: 554, response: "554 5.7.1 Spam" }, "refused"],
  [{ code: "EAUTH", command: "AUTH PLAIN", responseCode: 535, response: "535 bad password" }, "denied"],
  [{ code: "ESOCKET", command: "CONN", message: "connect ECONNREFUSED" }, "down"],
  [{ code: "ETIMEDOUT", message: "Greeting never received" }, "down"],
  ["nonsense", "down"],
])("shows %j as %s", (error, outcome) => expect(failureOf(error).outcome).toBe(outcome));
