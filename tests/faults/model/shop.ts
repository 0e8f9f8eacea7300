import { db } from "@/lib/core/db";
import type { DisputeStatus } from "@/lib/gateways/reasons";
import { checkBooks } from "@/lib/ledger/books";
import { between } from "@/tests/faults/seeded";
import type { Merchant } from "@/tests/support/factory";
import type { World } from "./world";

type Decision = "succeeded" | "failed";

/** A refund as the gateway has it. `later`: what it becomes in the end; null once decided. */
export interface GatewayRefund {
  /** Our refund's id. */
  key: string;
  cents: number;
  status: "pending" | Decision;
  later: Decision | null;
}

/** An attempt as the gateway has it: no restore of our database changes it. */
export interface Charge {
  /** Our payment's id. */
  key: string;
  linkId: string;
  cents: number;
  /** `absent`: the request did not arrive. */
  status: "absent" | "undecided" | Decision;
  later: Decision | null;
  waitsForPayer: boolean;
  /** The payer's page at the gateway or the bank. */
  page: string | null;
  /** What becomes of its refunds. */
  refundsAre: "succeeded" | "pending" | "returned" | "refused";
  refunds: GatewayRefund[];
  dispute: { status: DisputeStatus; later: DisputeStatus | null } | null;
}

/** A refund as the ledger has it. */
export interface Refund {
  id: string;
  cents: number;
  status: "pending" | Decision;
  /** Null: the gateway does not have it. */
  there: GatewayRefund | null;
  /** Whether the request is certainly no longer in flight. */
  old: boolean;
}

/** A payment that succeeded. Without a charge: staff marked it. */
export interface Payment {
  id: string;
  cents: number;
  feeKnown: boolean;
  charge: Charge | null;
  refunds: Refund[];
  dispute: DisputeStatus | null;
  /** Of a mark: the link's status before it. */
  linkWas?: Link["status"];
}

/** An attempt whose outcome the ledger does not know. */
export interface Attempt {
  charge: Charge;
  old: boolean;
}

/** An attempt that staff recorded as failed. */
export interface Lost {
  charge: Charge;
  /** Whether the gateway has answered the request to close it. */
  closed: boolean;
  /** The ledger knows that the gateway took the money; staff have acknowledged that. */
  mismatch: "open" | "acknowledged" | null;
  /** As the ledger has it. */
  dispute: DisputeStatus | null;
}

export interface Link {
  id: string;
  cents: number;
  status: "Active" | "Inactive" | "Processing" | "Paid";
  deleted: boolean;
  attempt: Attempt | null;
  payment: Payment | null;
  reversed: { id: string; cents: number }[];
  lost: Lost[];
}

const disputeFeeCents = 1_500;
export const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

export const holdsMoney = (state: DisputeStatus | null | undefined): boolean =>
  state === "needs_response" || state === "under_review" || state === "lost";

export const isUndecided = (state: DisputeStatus | null | undefined): boolean =>
  state === "needs_response" || state === "under_review";

export const refundedCents = ({ refunds }: Payment, status: Refund["status"]): number =>
  sum(refunds.filter((refund) => refund.status === status).map(({ cents }) => cents));

/** What the ledger lets a merchant return. */
export function refundableCents(payment: Payment): number {
  const { cents, dispute } = payment;
  if (isUndecided(dispute)) return 0;
  const disputed = holdsMoney(dispute) ? cents : 0;
  return cents - refundedCents(payment, "succeeded") - refundedCents(payment, "pending") - disputed;
}

export const isOpen = ({ deleted, status }: Link): boolean =>
  !deleted && (status === "Active" || status === "Inactive");

/** The link is paid by a charge. */
export function setPaid(link: Link, charge: Charge, feeKnown = true): void {
  const payment: Payment = { id: charge.key, cents: charge.cents, feeKnown, charge, refunds: [], dispute: null };
  Object.assign(link, { status: "Paid", attempt: null, payment });
}

function takenBy({ key, cents, status, refunds }: Charge): string[] {
  if (status !== "succeeded") return [];
  const returned = sum(refunds.filter((refund) => refund.status !== "failed").map((refund) => refund.cents));
  return [`taken ${key} ${cents} ${returned}`];
}

/** A business, and the model of its money. */
export class Shop {
  links: Link[] = [];
  /** All that the gateway has. */
  readonly charges: Charge[] = [];
  /** Unknown charges: the ledger found them after a restore and could not match them to a link. */
  unknown: Charge[] = [];
  /** The unknown charges that staff have acknowledged. */
  acknowledged: Charge[] = [];
  /** Whether the gateway refuses the shop's key. */
  keyLost = false;
  /** Saved cards by number. */
  tokens = new Map<string, string>();
  next: () => number = Math.random;
  /** The latest step. */
  doing = "";
  /** What the latest step used, for the path. */
  used = "";

  constructor(
    readonly merchant: Merchant,
    readonly world: World,
  ) {}

  cents(): number {
    return between(this.next, 500, 99_999);
  }

  oneOf<T>(items: readonly T[]): T {
    return items[between(this.next, 0, items.length - 1)] as T;
  }

  /** One of the links that fulfil the condition; null without one. */
  pick(condition: (link: Link) => boolean = () => true): Link | null {
    const fitting = this.links.filter(condition);
    const link = fitting.length > 0 ? this.oneOf(fitting) : null;
    if (link) this.used = ` #${this.links.indexOf(link)}`;
    return link;
  }

  /** What differs between the database and the model, or between the parts of the books; null without a difference. */
  async differences(): Promise<string | null> {
    const { businessId } = this.merchant;
    const of = { where: { business_id: businessId } };
    const [{ imbalances }, links, payments, refunds, disputes, unknown, journal] = await Promise.all([
      checkBooks(businessId),
      db.paymentLink.findMany(of),
      db.payment.findMany({
        where: { ...of.where, OR: [{ status: { not: "failed" } }, { settled_by: { not: null } }] },
      }),
      db.refund.findMany(of),
      db.dispute.findMany(of),
      db.unknownCharge.findMany({ where: { ...of.where, status: { in: ["open", "undecided"] } } }),
      db.$queryRaw<{ account: string; cents: number }[]>`
        SELECT account, sum(cents)::int AS cents FROM posting CROSS JOIN LATERAL (
          VALUES (debit, amount_cents), (credit, -amount_cents)) AS side(account, cents)
         WHERE business_id = ${businessId} GROUP BY 1 HAVING sum(cents) <> 0`,
    ]);
    if (imbalances.length > 0) return imbalances.join("; ");
    const name = (id: string) => {
      const index = this.links.findIndex((link) => link.id === id);
      return index < 0 ? id : `#${index}`;
    };
    const open = new Set(["created", "sending", "requires_action", "unknown"]);
    const here = [
      ...links.map((one) =>
        [name(one.id), one.deleted_at ? "deleted" : one.status, one.amount_cents, one.refunded_cents].join(" "),
      ),
      ...payments.map((one) => {
        const start = `${name(one.payment_link_id)} payment ${one.id}`;
        if (open.has(one.status)) return `${start} open`;
        if (one.status === "reversed") return `${start} reversed ${one.amount_cents}`;
        if (one.status === "failed") return `${start} failed by hand${one.mismatch_at ? ", taken" : ""}`;
        const { amount_cents, refunded_cents, refund_pending_cents, disputed_cents, fee_cents } = one;
        return [start, amount_cents, refunded_cents, refund_pending_cents, disputed_cents, fee_cents].join(" ");
      }),
      ...refunds.map((one) => `${name(one.payment_link_id)} refund ${one.status} ${one.amount_cents}`),
      ...disputes.map((one) => `${name(one.payment_link_id)} dispute ${one.status} ${one.amount_cents}`),
      ...unknown.map((one) => `unknown charge ${one.gateway_key} ${one.amount_cents}`),
      ...(this.world.taken?.() ?? []),
      ...journal.map(({ account, cents }) => `${account} ${cents}`),
    ];
    const modelled = this.modelled();
    const missing = without(modelled, here);
    const unexpected = without(here, modelled);
    return missing.length + unexpected.length === 0
      ? null
      : `expected ${missing.join(", ") || "nothing"}; found ${unexpected.join(", ") || "nothing"}`;
  }

  private modelled(): string[] {
    const paid = this.links.flatMap(({ payment }) => payment ?? []);
    const cards = paid.filter(({ charge }) => charge !== null);
    const marked = paid.filter(({ charge }) => charge === null);
    const total = (payments: Payment[], of: (payment: Payment) => number) => sum(payments.map(of));
    const refunded = (payment: Payment) => refundedCents(payment, "succeeded");
    const feeOf = (payment: Payment) => (payment.charge === null ? 0 : this.world.feeOf(payment.cents));
    const disputedCents = ({ cents, dispute }: Pick<Payment, "cents" | "dispute">) => (holdsMoney(dispute) ? cents : 0);
    const mismatches = this.links.flatMap(({ lost }) =>
      lost.map(({ charge: { cents }, dispute }) => ({ cents, dispute })),
    );
    const withdrawn = [...cards, ...mismatches].filter(({ dispute }) => dispute === "won" || holdsMoney(dispute));
    const fees = sum(cards.filter(({ feeKnown }) => feeKnown).map(feeOf)) + withdrawn.length * disputeFeeCents;
    const disputes = sum([...cards, ...mismatches].map(disputedCents));
    const journal = {
      disputes,
      fees,
      gateway: total(cards, ({ cents }) => cents) - fees - total(cards, refunded) - disputes,
      manual: total(marked, ({ cents }) => cents) - total(marked, refunded),
      refunds: total(paid, refunded),
      sales: -total(paid, ({ cents }) => cents),
    };
    const ofLink = ({ deleted, status, cents, payment, attempt, reversed, lost }: Link, index: number): string[] => {
      const start = (id: string) => `#${index} payment ${id}`;
      const lines = [[`#${index}`, deleted ? "deleted" : status, cents, payment ? refunded(payment) : 0].join(" ")];
      if (attempt) lines.push(`${start(attempt.charge.key)} open`);
      for (const one of reversed) lines.push(`${start(one.id)} reversed ${one.cents}`);
      for (const { charge, mismatch, dispute } of lost) {
        lines.push(`${start(charge.key)} failed by hand${mismatch ? ", taken" : ""}`);
        if (dispute) lines.push(`#${index} dispute ${dispute} ${charge.cents}`);
      }
      if (!payment) return lines;
      const pending = refundedCents(payment, "pending");
      const fee = payment.feeKnown ? feeOf(payment) : null;
      lines.push([start(payment.id), payment.cents, refunded(payment), pending, disputedCents(payment), fee].join(" "));
      for (const refund of payment.refunds) lines.push(`#${index} refund ${refund.status} ${refund.cents}`);
      if (payment.dispute) lines.push(`#${index} dispute ${payment.dispute} ${payment.cents}`);
      return lines;
    };
    return [
      ...this.links.flatMap(ofLink),
      ...this.unknown.map(({ key, cents }) => `unknown charge ${key} ${cents}`),
      ...(this.world.taken === null ? [] : this.charges.flatMap(takenBy)),
      ...Object.entries(journal).flatMap(([account, cents]) => (cents === 0 ? [] : `${account} ${cents}`)),
    ];
  }
}

/** What `lines` has more often than `others`. */
function without(lines: string[], others: string[]): string[] {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
