import { setTimeout as sleep } from "node:timers/promises";
import { signCallback } from "@/lib/gateways/sandbox/callbacks";
import type { Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { create } from "@/tests/support/samples";
import { mapConcurrently } from "./map-concurrently";

/** A card number that no gateway knows, with the other values typed into the form. */
export interface Canary {
  visa: string;
  amex: string;
  codes: readonly string[];
}

let clients = 0;

/** Sends a browser's request from a unique address. Follows no redirects. */
async function ask(path: string, init: RequestInit = {}): Promise<{ status: number; location: string; text: string }> {
  clients++;
  const headers = new Headers(init.headers);
  headers.set("X-Forwarded-For", `10.210.${(clients >> 8) & 255}.${clients & 255}`);
  const response = await fetch(`${baseUrl()}${path}`, { ...init, headers, redirect: "manual" });
  return { status: response.status, location: response.headers.get("location") ?? "", text: await response.text() };
}

const post = (path: string, form: Record<string, string>) =>
  ask(path, { method: "POST", body: new URLSearchParams(form) });

/**
 * Runs every card flow of the product, and common mistakes of people.
 * @param cards the test cards to pay with and to save
 */
export async function everyFlow(merchant: Merchant, canary: Canary, cards: readonly string[]): Promise<void> {
  const { key } = merchant;
  const code = (number: string) => (number.length === 15 ? (canary.codes[clients % canary.codes.length] ?? "") : "123");
  const card = (number: string, over: Record<string, string> = {}) => ({
    number,
    expiry: "12/40",
    cvc: code(number),
    holder: "Ada Lovelace",
    amount_cents: "1050",
    currency: "EUR",
    action: "pay",
    ...over,
  });
  const link = () => create(key, "payment_links");
  const token = async () => {
    const id = await create(key, "tokenizations");
    return (await call("GET", `/tokenizations/${id}`, { key })).json.data.token;
  };
  const pay = async (form: Record<string, string>, id?: string) => post(`/pay?id=${id ?? (await link())}`, form);
  const [visa = "", amex = ""] = [canary.visa, canary.amex];
  const spaced = visa.replace(/(.{4})(?=.)/g, "$1 ");

  const paid = async (number: string) => {
    const id = await link();
    const first = await pay(card(number), id);
    if (first.location.startsWith("/sandbox/3ds/")) return;
    for (let tries = 0; tries < 20; tries++) {
      const page = await ask(`/pay?id=${id}&wait=1`);
      if (page.location.startsWith("/pay")) return;
      if (page.location.startsWith("/thank-you")) break;
      await sleep(1_000);
    }
    const page = await ask(`/thank-you?id=${id}`);
    const receipt = /\/receipt\/[\w-]+/.exec(page.text)?.[0];
    if (receipt) await Promise.all([ask(receipt), ask(`${receipt}/pdf`)]);
    const body = { amount: "100", card: { number: visa, cvc: canary.codes[0] }, number: visa };
    await call("POST", `/payment-links/${id}/refunds`, { key, body, headers: { "Idempotency-Key": `refund ${id}` } });
    await call("POST", `/payment-links/${id}/refunds`, { key, body: { ...body, amount: visa } });
    if (receipt) await ask(receipt);
  };

  const challenged = async (answer: string | null) => {
    const id = await link();
    const { location } = await pay(card("4000000000003220"), id);
    await ask(location);
    if (answer === "cancel") await post(`/pay?id=${id}`, { ...card("4000000000003220"), action: answer });
    else if (answer) await post(location, { answer, number: visa, cvc: canary.codes[0] ?? "" });
    await ask(`/pay?id=${id}&wait=1`);
  };

  const saved = async (number: string) => {
    const to = await token();
    await post(`/activate/${to}`, card(number));
    await ask(`/activate/${to}`);
    const id = await link();
    const body = { token: to, card: { number: visa, cvc: canary.codes[1] }, number: visa, cvc: canary.codes[1] };
    await call("POST", `/payment-links/${id}/charge`, { key, body, headers: { "Idempotency-Key": `charge ${id}` } });
    await call("POST", `/payment-links/${id}/charge`, { key, body: { ...body, token: visa } });
  };

  const mistakes: Record<string, string>[] = [
    { number: visa },
    { number: spaced },
    { number: amex, cvc: canary.codes[2] ?? "" },
    { number: visa.replace(/.$/, (digit) => String((Number(digit) + 1) % 10)) },
    { number: `${visa}0000` },
    { cvc: canary.codes[0] ?? "" },
    { cvc: "12" },
    { cvc: visa },
    { expiry: "01/20" },
    { expiry: visa },
    { expiry: spaced, number: "" },
    { holder: visa },
    { holder: spaced, number: "" },
    { holder: `${visa} ${canary.codes[1]}`, expiry: "01/20" },
    { amount_cents: visa },
    { currency: visa },
    { action: visa },
    { [visa]: visa, [canary.codes[0] ?? ""]: "" },
  ];
  const wrongForms = mistakes.flatMap((over) => [
    () => pay({ ...card("378282246310005"), ...over }),
    async () => post(`/activate/${await token()}`, { ...card("378282246310005"), ...over }),
  ]);

  const json = { "Content-Type": "application/json" };
  const query = `number=${visa}&cvc=${canary.codes[0]}&card=${encodeURIComponent(spaced)}`;
  const strayRequests = [
    async () => ask(`/pay?id=${await link()}`, { method: "POST", headers: json, body: JSON.stringify(card(visa)) }),
    async () => ask(`/pay?id=${await link()}`, { method: "POST", body: formData(card(visa)) }),
    async () =>
      ask(`/pay?id=${await link()}`, { method: "POST", body: `number=${visa}&holder=${"x".repeat(3 << 20)}` }),
    async () => ask(`/pay?id=${await link()}&${query}`),
    async () => post(`/pay?id=${await link()}&${query}`, card("4242424242424242")),
    async () => ask(`/activate/${await token()}?${query}`),
    ...[
      "/pay",
      "/thank-you",
      "/activate",
      "/receipt",
      "/sandbox/3ds",
      "/api/payment-links",
      "/api/payments",
      "/login",
    ].flatMap((path) => [
      () => ask(`${path}/${visa}`),
      () => ask(`${path}?id=${visa}&${query}`),
      () => post(`${path}/${visa}`, card(visa)),
    ]),
    () => ask(`/${visa}`),
    () => ask("/pay", { headers: { Referer: `${baseUrl()}/?${query}`, Cookie: `card=${visa}`, "User-Agent": visa } }),
  ];

  const unknown = { card: { number: visa, cvc: canary.codes[0] }, number: spaced, cvc: canary.codes[1], [visa]: visa };
  const apiBodies = {
    "/payment-links": { title: "Order" },
    "/tokenizations/create-token": { title: "Card", description: "x" },
  };
  const stray = Object.entries(apiBodies).flatMap(([path, body]) => {
    const whole = { email: "ada@example.com", currency: "EUR", amount: "1050", ...body, ...unknown };
    const headers = { "Idempotency-Key": `canary ${path}` };
    return [
      () => call("POST", path, { key, body: whole, headers }),
      () => call("POST", path, { key, body: { ...whole, email: visa, amount: visa, currency: visa } }),
      () => call("POST", path, { key, raw: `{"number":"${visa}","number":"${visa}"}` }),
      () => call("POST", path, { key, raw: `{"card":{"number":"${visa}"` }),
      () => call("POST", path, { key: visa, body: whole }),
      () => call("GET", `/payment-links/${visa}?${query}`, { key }),
      () => call("GET", `/payments?${query}`, { key }),
      () => call("GET", `/payments?status=${visa}&cursor=${visa}`, { key }),
    ];
  });
  const callbackBody = JSON.stringify({ type: "charge.succeeded", data: { gateway_key: visa, number: visa } });
  const callbacks = [json, signCallback(String(merchant.businessId), callbackBody)].map(
    (headers) => () =>
      ask(`/api/gateways/sandbox/webhook?account=${merchant.businessId}`, {
        method: "POST",
        headers,
        body: callbackBody,
      }),
  );

  const flows = [
    ...cards.map((number) => () => paid(number)),
    ...["approve", "reject", "cancel", null].map((answer) => () => challenged(answer)),
    ...[...cards, visa].map((number) => () => saved(number)),
  ];
  // All at once they would wait for a connection until some get a 503.
  const all = [...flows, ...wrongForms, ...strayRequests, ...stray, ...callbacks];
  await mapConcurrently(8, all, async (one) => void (await one()));
}

function formData(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}
