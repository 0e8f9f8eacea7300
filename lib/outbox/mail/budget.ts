import { allLimits, digest, takeAll } from "@/lib/auth/limits";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { env, pollMs } from "@/lib/core/env";
import type { DropReason } from "@/lib/resources/emails/contract";
import type { Template } from "@/lib/resources/emails/templates";

// Anyone may register a business, so nothing else keeps a stranger from sending mails in the operator's name.

/** Mails a day that each payment of the last 30 days adds to MAILS_PER_DAY, up to so many payments. */
const mailsPerPayment = 10;
const paymentDays = 30;
const maxPayments = 5_000;

/** A mail that the limits delay longer is dropped: it asks for something that was due days ago. */
const maxDelayMs = 3 * 24 * 3_600_000;

/** A live mail to a payer. */
export interface LimitedMail {
  template: Template;
  business_id: number;
  has_gateway: boolean;
  to: string;
  created_at: Date;
}

type Verdict = { drop: DropReason } | { until: Date; reason: string };

/** Businesses over their limit, for some seconds: otherwise each of their mails would ask the database again. */
const exhausted = new Map<string, { until: Date; known: number }>();

/**
 * Counts a mail against the limits of its business and its recipient.
 * @returns what to do with it instead of sending; null if it may be sent
 */
export async function takeFromBudget(mail: LimitedMail): Promise<Verdict | null> {
  if (!mail.has_gateway && !env().MAIL_WITHOUT_GATEWAY) return { drop: "no_gateway" };
  const busy = await takeForBusiness(mail);
  if (busy) return delayed(mail, busy, "The business has reached its limit of e-mails in 24 hours.");
  const recipient = { from: allLimits().mailsOfRecipient, key: recipientKey(mail) };
  const until = await takeAll([recipient]);
  if (!until) return null;
  await allLimits().mailsOfBusiness.reward(String(mail.business_id));
  return delayed(mail, until, "The recipient has reached the limit of e-mails from one business in 24 hours.");
}

/** Takes back what a mail that waits has counted. Not called for a refused mail: refusals, too, harm the operator's reputation. */
export async function giveBack(mail: LimitedMail): Promise<void> {
  await allLimits().mailsOfBusiness.reward(String(mail.business_id));
  await allLimits().mailsOfRecipient.reward(recipientKey(mail));
}

const recipientKey = ({ business_id, to }: LimitedMail): string => digest(`${business_id} ${to.toLowerCase()}`);

function delayed({ template, created_at }: LimitedMail, until: Date, reason: string): Verdict {
  // Not dropped: the new price is not charged before this mail is sent, and begins later then.
  if (template === "price_changing") return { until, reason };
  if (until.getTime() - created_at.getTime() > maxDelayMs) return { drop: "over_limit" };
  return { until, reason };
}

/** @returns when to try again; null if the business may send */
async function takeForBusiness({ business_id: businessId, template }: LimitedMail): Promise<Date | null> {
  // Announcing a price to many customers leaves half of the limit to other mails.
  const share = template === "price_changing" ? 0.5 : 1;
  const ofShare = `${businessId} ${share}`;
  const before = exhausted.get(ofShare);
  if (before && Date.now() - before.known < pollMs(5)) return before.until;
  exhausted.delete(ofShare);
  const { mailsOfBusiness } = allLimits();
  const key = String(businessId);
  const { consumedPoints, msBeforeNext } = await mailsOfBusiness.penalty(key);
  const limit = env().MAILS_PER_DAY;
  if (consumedPoints <= share * limit) return null;
  if (consumedPoints <= share * (limit + mailsPerPayment * (await countPayments(businessId)))) return null;
  await mailsOfBusiness.reward(key);
  const until = new Date(Date.now() + msBeforeNext);
  exhausted.set(ofShare, { until, known: Date.now() });
  return until;
}

/** Payments that a gateway took lately. Manual ones do not count: anyone can enter them. */
async function countPayments(businessId: number): Promise<number> {
  const [row] = await queryRows<{ count: number }>(
    db,
    Prisma.sql`
    SELECT count(*)::int AS count FROM (
      SELECT FROM payment
       WHERE business_id = ${businessId} AND livemode AND status = 'succeeded' AND method IS NULL
         AND settled_at > now() - make_interval(days => ${paymentDays}::int)
       ORDER BY settled_at DESC LIMIT ${maxPayments}::int) AS paid`,
  );
  return row?.count ?? 0;
}
