import { baseUrl } from "./http";

export interface Landing {
  status: number;
  /** Path and query of our own page, or another site's URL. */
  location: string;
  headers: Headers;
  text: string;
}

export const card = { number: "4242424242424242", expiry: "12/40", cvc: "123" };
let clients = 0;

/** Posts a form of a payer's page from an address of its own. */
export async function post(path: string, form: Record<string, string>): Promise<Landing> {
  clients++;
  const client = `10.${process.pid % 250}.${(clients >> 8) & 255}.${clients & 255}`;
  const response = await fetch(`${baseUrl()}${path}`, {
    method: "POST",
    headers: { "X-Forwarded-For": client },
    body: new URLSearchParams(form),
    redirect: "manual",
  });
  return {
    status: response.status,
    location: response.headers.get("location") ?? "",
    headers: response.headers,
    text: await response.text(),
  };
}

/**
 * Pays a link on its page like a payer: reads the shown amount, then posts the form.
 * @param saveCard whether the payer lets the card be saved, if the page offers it; by default as the page has it
 */
export async function payAt(path: string, number = card.number, saveCard?: boolean): Promise<Landing> {
  const page = await (await fetch(`${baseUrl()}${path}`)).text();
  const shown = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? "";
  const cvc = number.startsWith("37") ? "1234" : card.cvc;
  const box = /<input[^>]*name="save_card"[^>]*>/.exec(page)?.[0];
  const saving: Record<string, string> = box && (saveCard ?? box.includes("checked")) ? { save_card: "1" } : {};
  return post(path, {
    ...card,
    ...saving,
    number,
    cvc,
    amount_cents: shown("amount_cents"),
    currency: shown("currency"),
  });
}

/** Sends the pay form for an amount in cents, without looking at the page first. */
export function postPayment(
  linkId: string,
  amountCents: number,
  currency: string,
  number = card.number,
): Promise<Landing> {
  return post(`/pay?id=${linkId}`, { ...card, number, amount_cents: String(amountCents), currency });
}

export async function saveCardAt(path: string, number = card.number): Promise<Landing> {
  const landing = await post(path, { ...card, number });
  if (landing.status !== 303)
    throw new Error(`The card was not saved: ${landing.status} ${landing.text.slice(0, 500)}`);
  return landing;
}
