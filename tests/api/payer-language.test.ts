import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { type PayerLanguage, payerLanguages } from "@/lib/core/payer-languages";
import { payerTexts } from "@/messages/payer/texts";
import { payAt } from "@/tests/support/checkout";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { textsIn } from "@/tests/support/payer-texts";
import { create } from "@/tests/support/samples";
import { createBiller } from "@/tests/support/subscribers";

let merchant: Merchant;
let key: string;
beforeAll(async () => {
  merchant = await createMerchant();
  key = merchant.key;
  const bank = { bank_holder: "Blue Bottle Books GmbH", bank_iban: "DE89370400440532013000" };
  const settings = { ...bank, support_email: "help@shop.example", support_phone: "+49 155 50100" };
  expect((await call("PUT", "/settings", { key: merchant.liveKey, body: settings })).status).toBe(200);
});

const body = { email: "ada@example.com", currency: "EUR", amount: "105050", title: "1001", send_email: false };
const newLink = (over: Record<string, unknown> = {}) => create(key, "payment_links", { ...body, ...over });

async function open(path: string, accepted = "en-US,en;q=0.9") {
  const response = await fetch(`${baseUrl()}${path}`, { headers: { "Accept-Language": accepted }, redirect: "manual" });
  return { status: response.status, html: await response.text() };
}

/** What a payer reads on a page, in its title and in its labels. Without the list of test cards, which is marked as English. */
const wordsOf = (html: string) =>
  html
    .replace(/<style>.*?<\/style>|<details lang="en".*<\/details>/gs, "")
    .replace(/ (?:aria-label|placeholder)="([^"]*)"/g, ">$1<")
    .replace(/<[^>]*>/g, "\n")
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&")
    .replace(/[\u00a0\u202f]/g, " ");

/** The English texts. Of those with arguments, the parts of two words or more: a single word can be one of another language. */
const english = textsIn(payerTexts.en).flatMap(([, text]) =>
  text.includes("«") ? text.split(/«\d»/).filter((part) => part.trim().split(" ").length > 1) : [text],
);

function expectLanguage(html: string, language: PayerLanguage): void {
  expect(html).toContain(`<html lang="${language}">`);
  if (language === "en") return;
  const own = new Set(textsIn(payerTexts[language]).map(([, text]) => text));
  const words = wordsOf(html);
  const left = english.filter(
    (text) =>
      !own.has(text) &&
      new RegExp(`(?<![\\p{L}’])${text.trim().replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}’])`, "u").test(words),
  );
  expect(left).toEqual([]);
}

describe("the language of a payment link", () => {
  it("is stored, replaced and exported", async () => {
    const made = await call("POST", "/payment-links", { key, body: { ...body, language: "de", reference: "LANG-1" } });
    const { _id: id } = made.json.data;
    expect(made.json.data.language).toBe("de");
    const path = `/payment-links/${id}`;
    expect((await call("GET", path, { key })).json.data.language).toBe("de");
    const [listed] = (await call("GET", "/payment-links?reference=LANG-1", { key })).json.data as unknown as object[];
    expect(listed).toMatchObject({ _id: id, language: "de" });
    const headers = { Authorization: `Bearer ${key}` };
    const file = await fetch(`${baseUrl()}/api/payment-links/export?reference=LANG-1`, { headers });
    const [names = "", row = ""] = (await file.text()).split("\r\n");
    expect(row.split(",")[names.split(",").indexOf("language")]).toBe("de");
    expect((await call("PUT", path, { key, body: { ...body, language: "fr" } })).json.data.language).toBe("fr");
    expect((await call("PUT", path, { key, body: { ...body, language: "" } })).json.data.language).toBeNull();
  });

  it("is refused if payers' pages do not have it", async () => {
    for (const language of ["it", "DE", "de-AT", 1]) {
      const { status, json } = await call("POST", "/payment-links", { key, body: { ...body, language } });
      expect([status, json.errors]).toEqual([422, { language: ["The selected language is invalid."] }]);
    }
    const id = await newLink();
    await expect(db.paymentLink.update({ where: { id }, data: { language: "it" } })).rejects.toThrow(
      "payment_link_language",
    );
  });

  it("is a column of an imported file", async () => {
    const rows = [
      { ...body, row: 1, language: "es" },
      { ...body, row: 2, language: "it" },
    ];
    const { json } = await call("POST", "/payment-links/import", { key, body: { file: "languages", rows } });
    const { rows: results } = json.data as unknown as { rows: { payment_link_id: string; errors: object | null }[] };
    const id = results[0]?.payment_link_id ?? "";
    expect((await db.paymentLink.findUniqueOrThrow({ where: { id } })).language).toBe("es");
    expect(results[1]?.errors).toEqual({ language: ["The selected language is invalid."] });
  });
});

interface Said {
  button: string;
  expired: string;
  declined: string;
  thanks: string;
  paid: string;
  closed: string;
  transfer: string;
  receipt: string;
}

const said: Record<PayerLanguage, Said> = {
  en: {
    button: "Pay €1,050.50",
    expired: "This card has expired.",
    declined: "Your bank declined the card. Try another card, or ask your bank. You have not been charged.",
    thanks: "Your payment has been received.",
    paid: "There’s nothing left to pay.",
    closed: "This payment link is not active",
    transfer: "Give exactly this reference",
    receipt: "Visa ending in 4242",
  },
  de: {
    button: "1.050,50 € zahlen",
    expired: "Diese Karte ist abgelaufen.",
    declined: "Ihre Bank hat die Karte abgelehnt. Versuchen Sie es mit einer anderen Karte, oder fragen Sie Ihre Bank.",
    thanks: "Ihre Zahlung ist eingegangen.",
    paid: "Es ist nichts mehr zu zahlen.",
    closed: "Dieser Zahlungslink ist nicht aktiv",
    transfer: "Geben Sie genau diesen Verwendungszweck an",
    receipt: "Visa mit den Endziffern 4242",
  },
  fr: {
    button: "Payer 1 050,50 €",
    expired: "Cette carte a expiré.",
    declined: "Votre banque a refusé la carte. Essayez une autre carte ou contactez votre banque.",
    thanks: "Votre paiement a été reçu.",
    paid: "Il n’y a plus rien à payer.",
    closed: "Ce lien de paiement n’est pas actif",
    transfer: "Indiquez exactement cette référence",
    receipt: "Visa se terminant par 4242",
  },
  es: {
    button: "Pagar 1050,50 €",
    expired: "Esta tarjeta ha caducado.",
    declined: "Su banco ha rechazado la tarjeta. Pruebe con otra tarjeta o consulte a su banco.",
    thanks: "Hemos recibido su pago.",
    paid: "No queda nada por pagar.",
    closed: "Este enlace de pago no está activo",
    transfer: "Indique exactamente este concepto",
    receipt: "Visa terminada en 4242",
  },
};

describe.each(payerLanguages)("the pages of a link in %s", (language) => {
  const words = said[language];
  const expectSaid = ({ html }: { html: string }, text: string) => {
    expectLanguage(html, language);
    expect(wordsOf(html)).toContain(text);
  };

  it("are in that language from the form to the receipt, whatever the browser asks for", async () => {
    const id = await newLink({ language });
    const path = `/pay?id=${id}`;
    expectSaid(await open(path, "it,en"), words.button);
    expectSaid(await open(`${path}&transfer=1`), words.transfer);
    const form = { amount_cents: "105050", currency: "EUR", number: "4242424242424242", expiry: "12/20", cvc: "123" };
    const wrong = await fetch(`${baseUrl()}${path}`, { method: "POST", body: new URLSearchParams(form) });
    expectSaid({ html: await wrong.text() }, words.expired);
    const { location } = await payAt(path, "4000000000000002");
    expectSaid(await open(location), words.declined);
    const thanks = await open((await payAt(path)).location);
    expectSaid(thanks, words.thanks);
    expectSaid(await open(path), words.paid);
    const [, receipt = ""] = /href="(\/receipt\/[^"]+)"/.exec(thanks.html) ?? [];
    expectSaid(await open(receipt), words.receipt);
    const pdf = Buffer.from(await (await fetch(`${baseUrl()}${receipt}/pdf`)).arrayBuffer()).toString("latin1");
    expect(pdf).toContain(`/Lang (${language})`);
  });

  it("say in that language why it cannot be paid, and ask for the bank's confirmation", async () => {
    const closed = await newLink({ language });
    await call("POST", `/payment-links/${closed}/deactivate`, { key, body: {} });
    expectSaid(await open(`/pay?id=${closed}`), words.closed);
    const asked = await newLink({ language });
    await payAt(`/pay?id=${asked}`, "4000000000003220");
    expectSaid(await open(`/pay?id=${asked}`), payerTexts[language].bank.proceed);
  });
});

describe("without a language of the link", () => {
  it("pages are in the browser's language", async () => {
    const id = await newLink();
    for (const [accepted, language] of [
      ["fr-CA,fr;q=0.9,en;q=0.8", "fr"],
      ["it,es;q=0.5", "es"],
      ["it", "en"],
    ] as const) {
      const { html } = await open(`/pay?id=${id}`, accepted);
      expectLanguage(html, language);
      expect(wordsOf(html)).toContain(said[language].button);
    }
  });

  it("the page that saves a card and error pages are in the browser's language, too", async () => {
    const token = await create(key, "tokenizations", { title: "1001", description: "1002" });
    const { activation_url } = (await call("GET", `/tokenizations/${token}`, { key })).json.data as unknown as {
      activation_url: string;
    };
    const { pathname } = new URL(activation_url);
    const form = await open(pathname, "de");
    expectLanguage(form.html, "de");
    expect(wordsOf(form.html)).toContain("Jetzt wird nichts abgebucht.");
    const missing = await open(`/pay?id=pl_${"0".repeat(35)}a`, "es");
    expect(missing.status).toBe(404);
    expectLanguage(missing.html, "es");
    const refused = await fetch(`${baseUrl()}/pay`, { method: "PUT", headers: { "Accept-Language": "fr" } });
    expect(refused.status).toBe(405);
    expectLanguage(await refused.text(), "fr");
  });
});

describe("the page that saves a card for the next periods", () => {
  const name = "Lesekreis am Dienstag, mit Kaffee und Kuchen"; // cut in titles, which have 50 characters
  const cardPage: Record<PayerLanguage, { title: string; description: string }> = {
    en: {
      title: "Card for Lesekreis am Dienstag, mit Kaffee und Kuc",
      description: "Charged for your subscription: €1,050.50 a month.",
    },
    de: {
      title: "Karte für Lesekreis am Dienstag, mit Kaffee und Ku",
      description: "Wird für Ihr Abonnement mit 1.050,50 € pro Monat belastet.",
    },
    fr: {
      title: "Carte pour Lesekreis am Dienstag, mit Kaffee und K",
      description: "Débitée pour votre abonnement : 1 050,50 € par mois.",
    },
    es: {
      title: "Tarjeta para Lesekreis am Dienstag, mit Kaffee und",
      description: "Se cobrará por su suscripción: 1050,50 € al mes.",
    },
  };

  it("is in the payer's language, and the same at each visit", async () => {
    const biller = await createBiller();
    const packageId = await biller.createPackage({ name, amount: "105050" });
    const subscription = await biller.subscribe(packageId, "ada@example.com");
    await biller.billed(subscription, 1);
    const id = String((await biller.periods(subscription))[0]?._id);
    await payAt(`/pay?id=${id}`, undefined, false);
    const saveCard = async (accepted: string) => {
      const request = { method: "POST", headers: { "Accept-Language": accepted }, body: new URLSearchParams() };
      const response = await fetch(`${baseUrl()}/thank-you?id=${id}`, { ...request, redirect: "manual" });
      return response.headers.get("location") ?? "";
    };
    const places: string[] = [];
    for (const language of payerLanguages) {
      const place = await saveCard(language);
      expect(await saveCard(language)).toBe(place);
      const { html } = await open(place, language);
      expectLanguage(html, language);
      expect(wordsOf(html)).toContain(cardPage[language].title);
      expect(wordsOf(html)).toContain(cardPage[language].description);
      places.push(place);
    }
    await db.paymentLink.update({ where: { id }, data: { language: "de" } });
    expect(await saveCard("fr")).toBe(places[payerLanguages.indexOf("de")]);
    expect(await db.tokenization.count({ where: { business_id: biller.merchant.businessId } })).toBe(4);
  });
});

async function mailOf(linkId: string, template: string) {
  for (const deadline = Date.now() + 15_000; ; await sleep(100)) {
    const query = `/emails?payment_link_id=${linkId}&template=${template}`;
    const [mail] = (await call("GET", query, { key })).json.data as unknown as { _id: string; status: string }[];
    if (mail && mail.status !== "queued") {
      const { data } = (await call("GET", `/emails/${mail._id}`, { key })).json;
      return data as unknown as Record<"subject" | "html" | "text", string>;
    }
    if (Date.now() > deadline) throw new Error(`no ${template} was written`);
  }
}

describe("mails about a link", () => {
  it("are in its language", async () => {
    const over = { language: "de", send_email: true, expires_at: "2031-12-31T20:00:00Z", reference: "INV-7" };
    const id = await newLink(over);
    const request = await mailOf(id, "payment_link");
    expect(request.html).toContain('lang="de"');
    expect(request.subject).toBe("[Test] 1.050,50\u00a0€ zu zahlen: 1001");
    for (const line of [
      "Bitte zahlen Sie 1.050,50 €",
      "hat Ihnen einen Zahlungslink gesendet.",
      "Zahlbar bis: 31. Dezember 2031 um",
      "Referenz: INV-7",
      "Testmodus: Es fließt kein Geld.",
      "1.050,50 € zahlen:",
      "Fragen? Antworten Sie auf diese E-Mail, oder schreiben Sie an help@shop.example oder rufen Sie an:",
    ])
      expect(request.text.replaceAll("\u00a0", " ")).toContain(line);
    await payAt(`/pay?id=${id}`);
    const receipt = await mailOf(id, "receipt");
    expect(receipt.subject).toBe("[Test] Quittung: 1.050,50\u00a0€ für 1001");
    expect(receipt.text).toContain("Karte: Visa mit den Endziffern 4242");
    expect(`${request.text}${receipt.text}`).not.toMatch(/\b(?:You|Please|Amount|Receipt|Pay|Thank)\b/);
  });

  it("are in English without one", async () => {
    const { html, subject } = await mailOf(await newLink({ send_email: true }), "payment_link");
    expect(html).toContain('lang="en"');
    expect(subject).toBe("[Test] €1,050.50 to pay: 1001");
  });
});
