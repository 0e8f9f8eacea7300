import { db } from "@/lib/core/db";
import { between } from "@/tests/faults/seeded";
import { age } from "@/tests/faults/stage";
import { postPayment } from "@/tests/support/checkout";
import { call, type Reply } from "@/tests/support/http";
import { decided, learn, learnAttempt, learnLost, perform } from "./learn";
import { type Charge, isOpen, type Link, type Refund, refundableCents, type Shop, setPaid } from "./shop";
import { type Fate, open } from "./world";

/** @param ok whether the model expects success; undefined: either */
export async function api(
  { merchant: { key } }: Shop,
  method: string,
  path: string,
  body: unknown,
  ok?: boolean,
): Promise<Reply> {
  const reply = await call(method, path, { key, body });
  const unexpected = ok !== undefined && reply.status < 300 !== ok;
  if (unexpected || (reply.status >= 500 && reply.json.code !== "gateway_away"))
    throw new Error(`${method} ${path} got ${reply.status}: ${reply.text.slice(0, 300)}`);
  return reply;
}

export async function latestAttempt(link: Link) {
  return db.payment.findFirstOrThrow({
    where: { payment_link_id: link.id },
    orderBy: [{ created_at: "desc" }, { id: "desc" }],
  });
}

/** The gateway has money for the link that is no payment here. */
const isBlocked = (shop: Shop, { id, lost }: Link): boolean =>
  shop.unknown.some(({ linkId }) => linkId === id) || lost.some(({ mismatch }) => mismatch === "open");

export const isPayable = (shop: Shop, link: Link): boolean =>
  link.status === "Active" && !link.deleted && !isBlocked(shop, link);

export const unclosed = ({ lost }: Link) => lost.filter(({ closed }) => !closed);

/** A new attempt first closes at the gateway what staff recorded as failed. @returns whether all of it is closed */
function closeLost(shop: Shop, link: Link): boolean {
  if (!shop.keyLost)
    for (const one of unclosed(link)) {
      learnLost(one);
      if (!one.closed) break;
    }
  return unclosed(link).length === 0;
}

/** A payable link was charged. */
export async function charged(shop: Shop, link: Link, fate: Fate): Promise<void> {
  if (fate === "declined" || shop.keyLost) return;
  const { known, dispute, ...how } = fate;
  const { id: key, gateway_ref: page } = await latestAttempt(link);
  const charge = {
    key,
    linkId: link.id,
    cents: link.cents,
    page,
    ...how,
    refunds: [],
    dispute: dispute && { ...dispute },
  };
  shop.charges.push(charge);
  if (known) setPaid(link, charge);
  else Object.assign(link, { status: "Processing", attempt: { charge, old: false } });
}

async function pay(shop: Shop, link: Link, number: string): Promise<void> {
  shop.used += ` ${number}`;
  const waits = isPayable(shop, link) && !closeLost(shop, link);
  const payable = !waits && isPayable(shop, link);
  const { status, text } = await postPayment(link.id, link.cents, "EUR", number);
  if (status >= 500 && !(waits && status === 503)) throw new Error(`the payer got ${status}: ${text.slice(0, 200)}`);
  const fate = shop.world.typed[number];
  if (payable && fate) await charged(shop, link, fate);
}

async function chargeSaved(shop: Shop, link: Link): Promise<void> {
  const number = shop.oneOf(Object.keys(shop.world.saved));
  shop.used += ` ${number}`;
  const known = shop.tokens.get(number);
  if (!known && shop.keyLost) return;
  const token = known ?? (await shop.world.save(shop, number));
  shop.tokens.set(number, token);
  const fate = shop.world.saved[number] ?? "declined";
  const closed = link.status !== "Active" || link.deleted || closeLost(shop, link);
  const payable = closed && isPayable(shop, link);
  const ok = payable && fate !== "declined" && !shop.keyLost;
  await api(shop, "POST", `/payment-links/${link.id}/charge`, { token }, ok);
  if (payable) await charged(shop, link, fate);
  // A card that was declined for good is charged no more.
  if (fate === "declined") shop.tokens.delete(number);
}

/** Does `work` while the shop's gateway is away. */
async function cutOff<T>(shop: Shop, work: () => Promise<T>): Promise<T | null> {
  const heal = await shop.world.cutOff?.(shop);
  if (!heal) return null;
  try {
    return await work();
  } finally {
    await heal();
  }
}

async function refund(shop: Shop, link: Link, away = false): Promise<void> {
  const { payment } = link;
  const left = payment ? refundableCents(payment) : 0;
  const whole = shop.next() < 0.3;
  const cents = whole ? left : between(shop.next, 1, Math.max(1, left + Math.floor(left / 4)));
  shop.used += ` ${cents}`;
  const accepted = payment !== null && !link.deleted && cents >= 1 && cents <= left;
  const body = whole ? {} : { amount: cents };
  const { json } = await api(shop, "POST", `/payment-links/${link.id}/refunds`, body, accepted);
  if (!accepted) return;
  const { charge } = payment;
  const made: Refund = { id: json.data._id, cents, status: "pending", there: null, old: false };
  payment.refunds.push(made);
  if (!charge) made.status = "succeeded";
  else if (shop.keyLost) made.status = "failed";
  else if (!away) perform(payment, charge, made);
}

const waits = ({ there, status }: Refund): boolean => there === null && status === "pending";

/** Time passes: the requests about a link are no longer in flight. */
async function grow({ attempt, payment }: Link): Promise<void> {
  if (attempt && !attempt.old) {
    await age("payment", attempt.charge.key);
    attempt.old = true;
  }
  for (const refund of payment?.refunds.filter((one) => waits(one) && !one.old) ?? []) {
    await age("refund", refund.id);
    refund.old = true;
  }
}

async function tell(shop: Shop, link: Link): Promise<void> {
  const key = (link.attempt ?? link.payment)?.charge?.key;
  if (!key) return;
  const about = shop.next() < 0.6 ? "payment" : "dispute";
  shop.used += ` ${about}`;
  const status = await shop.world.notify(shop, key, about);
  // The gateway sends it again when it is not answered with 200.
  if (status !== (shop.keyLost ? 503 : 200)) throw new Error(`a callback got ${status}`);
  if (!shop.keyLost) learn(link, about);
}

/** All charges of a link that the gateway has. */
const chargesOf = (shop: Shop, { id }: Link): Charge[] => shop.charges.filter(({ linkId }) => linkId === id);

async function decide(shop: Shop, link: Link): Promise<void> {
  const charges = chargesOf(shop, link);
  await shop.world.decide(shop, link, charges);
  decided(charges);
}

/** Staff settle an attempt as they see it at the gateway, which may be away. */
async function settle(shop: Shop, link: Link): Promise<void> {
  const { attempt } = link;
  if (!attempt) return;
  const { charge } = attempt;
  if (shop.next() < 0.8) await grow(link);
  if (charge.later === "succeeded") await decide(shop, link);
  // Staff may overlook the charge.
  const taken = charge.status === "succeeded" && shop.next() < 0.6;
  const ref = taken ? await shop.world.refOf(shop, charge) : undefined;
  const body = { status: taken ? "succeeded" : "failed", gateway_ref: ref, reason: "Seen at the gateway" };
  const send = (ok: boolean) => api(shop, "POST", `/payments/${charge.key}/settle`, body, ok);
  const byHand = () => {
    if (taken) return setPaid(link, charge, false);
    Object.assign(link, { status: "Active", attempt: null });
    const one = { charge, closed: false, mismatch: null, dispute: null };
    link.lost.push(one);
    if (asked) learnLost(one);
  };
  const away = shop.world.cutOff !== null && shop.next() < 0.6;
  if (away) shop.used += " away";
  const asked = !away && !shop.keyLost;
  const stuck = charge.status === "undecided" && !charge.waitsForPayer;
  const accepted = attempt.old && (stuck || !asked);
  await (away ? cutOff(shop, () => send(accepted)) : send(accepted));
  if (accepted) byHand();
  else if (asked) learnAttempt(link);
}

/** Staff decide about what the gateway took although they had recorded it as failed. */
async function decideMismatch(shop: Shop, link: Link): Promise<void> {
  const one = shop.oneOf(link.lost.filter(({ mismatch }) => mismatch === "open"));
  const { charge } = one;
  const counted = shop.next() < 0.6;
  shop.used += counted ? " counted" : " acknowledged";
  const accepted = !counted || (isOpen(link) && charge.cents === link.cents && !shop.keyLost);
  const body = { resolution: counted ? "counted" : "acknowledged", note: "Seen at the gateway" };
  await api(shop, "POST", `/payments/${charge.key}/resolve-mismatch`, body, accepted);
  if (!accepted) return;
  if (!counted) {
    one.mismatch = "acknowledged";
    return;
  }
  link.lost.splice(link.lost.indexOf(one), 1);
  setPaid(link, charge);
  if (link.payment) link.payment.dispute = one.dispute;
}

/** Without a link that the step needs, nothing happens. */
const onLink =
  (work: (shop: Shop, link: Link) => Promise<void>, condition?: (link: Link) => boolean) => async (shop: Shop) => {
    const link = shop.pick(condition);
    if (link) await work(shop, link);
  };

const hasCharge = ({ attempt, payment }: Link): boolean => attempt !== null || (payment?.charge ?? null) !== null;

/** Each money command, and what a merchant, a payer and a gateway do besides. */
export const steps = {
  create: async (shop) => {
    const cents = shop.cents();
    const body = { email: "ada@example.com", currency: "EUR", amount: cents, title: "Order", send_email: false };
    const { json } = await api(shop, "POST", "/payment-links", body, true);
    const state = { status: "Active", deleted: false, attempt: null, payment: null } as const;
    shop.links.push({ id: json.data._id, cents, ...state, reversed: [], lost: [] });
    shop.used = ` #${shop.links.length - 1}`;
  },
  pay: onLink(
    (shop, link) => pay(shop, link, shop.oneOf(Object.keys(shop.world.typed))),
    ({ status }) => status === "Active",
  ),
  "pay any link": onLink((shop, link) => pay(shop, link, Object.keys(shop.world.typed)[0] ?? "")),
  "charge a saved card": onLink(chargeSaved, ({ status }) => status === "Active"),
  "charge a saved card for any link": onLink(chargeSaved),
  "pay while the gateway is away": onLink(
    async (shop, link) => {
      if (!isPayable(shop, link) || !shop.world.cutOff) return;
      await cutOff(shop, () => postPayment(link.id, link.cents, "EUR"));
      if (unclosed(link).length === 0) await charged(shop, link, open({ status: "absent" }));
    },
    ({ status }) => status === "Active",
  ),
  "time passes": onLink((_, link) => grow(link), hasCharge),
  "the payer answers": async (shop) => {
    const waiting = shop.charges.filter(({ waitsForPayer, status }) => waitsForPayer && status === "undecided");
    if (waiting.length === 0) return;
    const charge = shop.oneOf(waiting);
    shop.used += ` #${shop.links.findIndex(({ id }) => id === charge.linkId)}`;
    await shop.world.answer(shop, charge);
  },
  withdraw: onLink(
    async (shop, link) => {
      if (!link.attempt) return;
      const { charge } = link.attempt;
      const ok = charge.waitsForPayer && charge.status !== "succeeded" && !shop.keyLost;
      await api(shop, "POST", `/payments/${charge.key}/cancel`, undefined, ok);
      if (!charge.waitsForPayer || shop.keyLost) return;
      if (charge.status === "undecided") charge.status = "failed";
      learnAttempt(link);
    },
    ({ attempt }) => attempt !== null,
  ),
  settle: onLink(settle, ({ attempt }) => attempt !== null),
  reconcile: onLink(
    async (shop, link) => {
      const { attempt, payment } = link;
      const id = attempt?.charge.key ?? payment?.id;
      await api(shop, "POST", `/payments/${id}/reconcile`, undefined, !(attempt && shop.keyLost));
      if (!shop.keyLost) learnAttempt(link);
    },
    ({ attempt, payment }) => attempt !== null || payment !== null,
  ),
  "look up what was settled by hand": onLink(
    async (shop, { lost }) => {
      const one = shop.oneOf(lost);
      const about = shop.next() < 0.5 ? "payment" : "dispute";
      shop.used += ` ${about}`;
      await shop.world.notify(shop, one.charge.key, about);
      if (!shop.keyLost) learnLost(one, about);
    },
    ({ lost }) => lost.length > 0,
  ),
  "decide about a mismatch": onLink(decideMismatch, ({ lost }) => lost.some(({ mismatch }) => mismatch === "open")),
  "the gateway decides": onLink(decide),
  "a callback": onLink(tell, hasCharge),
  refund: onLink(
    (shop, link) => refund(shop, link),
    ({ payment }) => payment !== null,
  ),
  "refund any link": onLink((shop, link) => refund(shop, link)),
  "refund while the gateway is away": onLink(
    async (shop, link) => void (await cutOff(shop, () => refund(shop, link, true))),
    ({ payment }) => payment !== null,
  ),
  "mark as paid": onLink(async (shop, link) => {
    const body = { method: "cash", paid_on: new Date().toISOString().slice(0, 10) };
    const free = isOpen(link) && !isBlocked(shop, link);
    await api(shop, "POST", `/payment-links/${link.id}/mark-paid`, body, free);
    if (!free) return;
    const { id } = await latestAttempt(link);
    const payment = {
      id,
      cents: link.cents,
      feeKnown: true,
      charge: null,
      refunds: [],
      dispute: null,
      linkWas: link.status,
    };
    Object.assign(link, { status: "Paid", payment });
  }),
  reverse: onLink(
    async (shop, link) => {
      const { payment } = link;
      if (!payment) return;
      const { id, cents } = payment;
      const reversible = payment.charge === null && payment.refunds.length === 0;
      await api(shop, "POST", `/payments/${id}/reverse`, { reason: "The cheque bounced" }, reversible);
      if (!reversible) return;
      Object.assign(link, { status: payment.linkWas, payment: null });
      link.reversed.push({ id, cents });
    },
    ({ payment }) => payment !== null,
  ),
  edit: onLink(async (shop, link) => {
    const cents = shop.cents();
    const body = { email: "ada@example.com", currency: "EUR", amount: cents, title: "Order, changed" };
    await api(shop, "PUT", `/payment-links/${link.id}`, body, isOpen(link));
    if (isOpen(link)) link.cents = cents;
  }),
  deactivate: onLink(async (shop, link) => {
    await api(shop, "POST", `/payment-links/${link.id}/deactivate`, undefined, isOpen(link));
    if (isOpen(link)) link.status = "Inactive";
  }),
  activate: onLink(async (shop, link) => {
    await api(shop, "POST", `/payment-links/${link.id}/activate`, undefined, isOpen(link));
    if (isOpen(link)) link.status = "Active";
  }),
  delete: onLink(
    async (shop, link) => {
      await api(shop, "DELETE", `/payment-links/${link.id}`, undefined, isOpen(link));
      if (isOpen(link)) link.deleted = true;
    },
    ({ cents }) => cents % 3 === 0, // else too few links live long enough
  ),
} satisfies Record<string, Step>;

async function mend(shop: Shop, how: "connect" | "probe"): Promise<void> {
  if (!shop.keyLost) return;
  await shop.world.key?.[how]();
  shop.used = " it was refused";
  shop.keyLost = false;
}

/** What happens to the key of a shop's account at its gateway. */
export const keySteps = {
  "the key is refused": async (shop) => {
    if (shop.keyLost) return;
    await shop.world.key?.lose();
    shop.used = " from now on";
    shop.keyLost = true;
  },
  "staff connect the account again": (shop) => mend(shop, "connect"),
  "a probe finds that the key works": (shop) => mend(shop, "probe"),
} satisfies Record<string, Step>;

export type Step = (shop: Shop) => Promise<void>;

/** Does one of the steps. Draws again where it finds nothing to do. */
export async function anyStep(shop: Shop, all: Record<string, Step>): Promise<void> {
  const names = Object.keys(all);
  shop.used = "";
  for (let draws = 0; shop.used === "" && draws < 20; draws++) {
    shop.doing = shop.links.length < 4 && shop.next() < 0.3 ? "create" : shop.oneOf(names);
    await all[shop.doing]?.(shop);
  }
}
