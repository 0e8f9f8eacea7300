import { afterAll, beforeAll } from "vitest";
import { z } from "zod";
import { pool } from "@/lib/core/db";
import { amountBounds, toUnits } from "@/lib/core/money";
import { fromStripeAmount, toStripeAmount } from "@/lib/gateways/stripe/amounts";
import { amount } from "@/lib/http/fields";
import { parseJsonObject } from "@/lib/http/json";
import { parseInput } from "@/lib/http/validation";
import { createMerchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { fault, full, type Outcome } from "./fault";
import { mapConcurrently } from "./map-concurrently";
import { type Rig, startRig } from "./rig";
import { between, random } from "./seeded";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig?.stop());

function* amounts(step: number): Generator<number> {
  for (let cents = amountBounds.min; cents <= amountBounds.max; cents += step) yield cents;
}

const input = z.object({ amount });
const encoder = new TextEncoder();
const read = (written: string) => parseInput(input, parseJsonObject(encoder.encode(written))).amount;

/** Parses a JSON number's digits to cents, without floating-point arithmetic. */
function centsOf(digits: string): number {
  const found = /^(\d+)(?:\.(\d{1,2}))?$/.exec(digits);
  return found ? Number(found[1] + (found[2] ?? "").padEnd(2, "0")) : Number.NaN;
}

/**
 * Converts request text to cents, to units, to JSON and back, both from digits and from the number, as merchants do.
 */
function throughJson(step: number, back: (units: number) => number): { amounts: number; wrong: number } {
  let count = 0;
  let wrong = 0;
  for (const cents of amounts(step)) {
    count++;
    const asText = read(`{"amount":"${cents}"}`);
    const asNumber = read(`{"amount":${cents}}`);
    const sent = JSON.stringify({ amount: toUnits(asText) });
    const received: { amount: number } = JSON.parse(sent);
    const digits = sent.slice('{"amount":'.length, -1);
    const ways = [asText, asNumber, centsOf(digits), back(received.amount)];
    if (ways.some((found) => found !== cents)) wrong++;
  }
  return { amounts: count, wrong };
}

/** Stripe's documented units per cent for a currency; null when only whole units are allowed. */
const atStripe = new Map<string, (cents: number) => number | null>([
  ["EUR", (cents) => cents],
  ["USD", (cents) => cents],
  ["HUF", (cents) => cents],
  ["JPY", (cents) => (cents % 100 === 0 ? cents / 100 : null)],
  ["KRW", (cents) => (cents % 100 === 0 ? cents / 100 : null)],
  ["ISK", (cents) => (cents % 100 === 0 ? cents : null)],
  ["UGX", (cents) => (cents % 100 === 0 ? cents : null)],
  ["KWD", (cents) => cents * 10],
  ["TND", (cents) => cents * 10],
]);

function throughStripe(step: number): number {
  let wrong = 0;
  for (const [currency, expected] of atStripe)
    for (const cents of amounts(step)) {
      const theirs = toStripeAmount(cents, currency);
      const ours = theirs === null ? cents : fromStripeAmount(theirs, currency.toLowerCase());
      if (theirs !== expected(cents) || ours !== cents) wrong++;
    }
  return wrong;
}

/** Writes each amount to a column like ours and reads it back. */
async function throughDatabase(step: number): Promise<number> {
  const client = await pool().connect();
  try {
    await client.query("CREATE TEMPORARY TABLE amount (amount_cents integer PRIMARY KEY)");
    const all = [...amounts(step)];
    let wrong = 0;
    for (let at = 0; at < all.length; at += 50_000) {
      const some = all.slice(at, at + 50_000);
      await client.query("INSERT INTO amount SELECT unnest($1::int[])", [some]);
      const { rows } = await client.query<{ amount_cents: number }>(
        "SELECT amount_cents FROM amount WHERE amount_cents BETWEEN $1 AND $2 ORDER BY 1",
        [some[0], some.at(-1)],
      );
      wrong += some.filter((cents, i) => rows[i]?.amount_cents !== cents).length + Math.abs(rows.length - some.length);
    }
    await client.query("DROP TABLE amount");
    return wrong;
  } finally {
    client.release();
  }
}

/** Creates links through the API and reads the amounts back. */
async function throughApi(count: number): Promise<number> {
  const { key } = await createMerchant();
  const next = random();
  const chosen = Array.from({ length: count }, () => between(next, amountBounds.min, amountBounds.max));
  const found = await mapConcurrently(4, chosen, async (cents, i) => {
    const body = { email: "ada@example.com", currency: "EUR", title: "Order", amount: i % 2 ? cents : String(cents) };
    const made = await call("POST", "/payment-links", { key, body });
    const got = await call("GET", `/payment-links/${made.json.data._id}`, { key });
    return [made, got].every(({ text }) => centsOf(/"amount":([^,}]+)/.exec(text)?.[1] ?? "") === cents);
  });
  return found.filter((right) => !right).length;
}

async function run(step: number, requests: number, back: (units: number) => number): Promise<Outcome> {
  const json = throughJson(step, back);
  return {
    done: `${json.amounts.toLocaleString("en")} amounts, ${atStripe.size} currencies at Stripe, ${requests} over HTTP`,
    wrong: {
      "amounts wrong in JSON": json.wrong,
      "at Stripe": throughStripe(step),
      "in the database": await throughDatabase(step),
      "over HTTP": await throughApi(requests),
    },
  };
}

fault({
  id: "R10",
  title: "every amount converted and back",
  minutes: 10,
  run: () => run(full ? 1 : 997, full ? 200 : 20, (units) => Math.round(units * 100)),
  control: {
    without: "rounding: units * 100 | 0",
    run: () => run(997, 1, (units) => (units * 100) | 0),
  },
});
