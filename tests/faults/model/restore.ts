import { db } from "@/lib/core/db";
import { postPayment } from "@/tests/support/checkout";
import { call } from "@/tests/support/http";
import { learn, learnAttempt, learnRefunds } from "./learn";
import { type Charge, type Link, type Shop, setPaid } from "./shop";
import { api, charged, isPayable, keySteps, steps, unclosed } from "./steps";

/** Copies the ledger's side of a shop, as a backup does. The gateway keeps what it has. @returns goes back to the copy */
export function copyOf(shop: Shop): () => void {
  const { keyLost } = shop;
  const links = shop.links.map(copyOfLink);
  const tokens = new Map(shop.tokens);
  const acknowledged = [...shop.acknowledged];
  return () => Object.assign(shop, { links, tokens, acknowledged, keyLost, unknown: [] });
}

const copyOfLink = ({ attempt, payment, reversed, lost, ...link }: Link): Link => ({
  ...link,
  attempt: attempt && { ...attempt },
  payment: payment && { ...payment, refunds: payment.refunds.map((refund) => ({ ...refund })) },
  reversed: [...reversed],
  lost: lost.map((one) => ({ ...one })),
});

/** The ledger compares the gateway's charges and refunds with its own. */
async function compared(shop: Shop): Promise<void> {
  const known = new Set(
    shop.links.flatMap(({ attempt, payment, lost }) => [
      attempt?.charge,
      payment?.charge,
      ...lost.map((one) => one.charge),
    ]),
  );
  for (const charge of shop.acknowledged) known.add(charge);
  const lost = shop.charges.filter((charge) => !known.has(charge));
  // The comparison has closed the pages of lost attempts.
  for (const charge of lost) if (charge.status === "undecided") charge.status = "failed";
  const taken = lost.filter(({ status }) => status === "succeeded");
  // Of two charges of one link, either may be its payment.
  const here = await db.payment.findMany({ where: { id: { in: taken.map(({ key }) => key) } }, select: { id: true } });
  const isHere = ({ key }: Charge): boolean => here.some(({ id }) => id === key);
  for (const charge of taken.sort((a, b) => Number(isHere(b)) - Number(isHere(a)))) {
    const link = shop.links.find(({ id }) => id === charge.linkId);
    if (link && canAdopt(link, charge)) {
      setPaid(link, charge);
      learn(link, "dispute");
    } else shop.unknown.push(charge);
  }
  for (const link of shop.links) if (link.attempt?.charge.refunds.length) learnAttempt(link);
  for (const { payment } of shop.links) {
    const there = payment?.charge?.refunds.filter((one) => payment.refunds.every((refund) => refund.there !== one));
    if (!payment?.charge || !there?.length) continue;
    const { feeKnown } = payment;
    learnRefunds(payment, payment.charge);
    payment.feeKnown = feeKnown;
    for (const refund of there)
      if (refund.status !== "failed")
        payment.refunds.push({ id: refund.key, cents: refund.cents, status: refund.status, there: refund, old: false });
  }
}

const canAdopt = ({ deleted, status, cents }: Link, charge: Charge): boolean =>
  !deleted && (status === "Active" || status === "Inactive") && cents === charge.cents;

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await holds().catch(() => false))) {
    if (Date.now() > end) throw new Error("It took longer than a minute.");
    await new Promise((done) => setTimeout(done, 200));
  }
}

/** A new server, or one whose database was restored: its next payment waits for the comparison. */
export async function firstPayment(shop: Shop): Promise<void> {
  if (shop.keyLost) {
    // While Stripe refuses the key for every call, nothing is compared, and no money moves.
    const payable = shop.links.find((link) => isPayable(shop, link) && unclosed(link).length === 0);
    if (payable) await until(async () => (await postPayment(payable.id, payable.cents, "EUR")).status < 500);
    await keySteps["staff connect the account again"](shop);
  }
  await steps.create(shop);
  const link = shop.links.at(-1) as Link;
  await until(async () => (await postPayment(link.id, link.cents, "EUR")).status < 500);
  await compared(shop);
  const [fate] = Object.values(shop.world.typed);
  if (fate) await charged(shop, link, fate);
}

/** Tries to pay the links of unknown charges, which must fail. */
export async function tryBlocked(shop: Shop): Promise<void> {
  for (const { linkId } of shop.unknown) {
    const link = shop.links.find(({ id }) => id === linkId);
    if (link) await postPayment(link.id, link.cents, "EUR");
  }
}

/** Staff acknowledge the charges that could not be matched. */
export async function acknowledge(shop: Shop): Promise<void> {
  const { key } = shop.merchant;
  const { json } = await call("GET", "/unknown-charges?status=open&per_page=100", { key });
  for (const { _id } of json.data)
    await api(shop, "POST", `/unknown-charges/${_id}/acknowledge`, { note: "Seen at the gateway" }, true);
  shop.acknowledged.push(...shop.unknown);
  shop.unknown = [];
}
