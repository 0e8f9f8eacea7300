import type { Actor } from "@/lib/auth/actor";
import { allows } from "@/lib/auth/scopes";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { iso, shownIso } from "@/lib/http/list";
import { ownedBy } from "@/lib/resources/define";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import type { UntoldPrice } from "./problems-contract";

/** How many of a subscription's newest mails are searched for the one about its price. */
const maxSearchedMails = 100;

type Announced = Pick<UntoldPrice, "amount_cents" | "mail"> & { id: string };

/** For each subscription, the new price of which the customer was not notified, and the newest mail about a price. */
export async function untoldPricesOf(
  tx: Db,
  actor: Actor,
  { rows }: { rows: readonly Subscription[] },
): Promise<UntoldPrice[]> {
  if (rows.length === 0) return [];
  const announced = await queryRows<Announced>(
    tx,
    Prisma.sql`
    SELECT s.id, s.announced_amount_cents AS amount_cents,
           (SELECT json_build_object('_id', id, 'status', status, 'at', coalesce(${shownIso("sent_at")}, ${iso("created_at")})) FROM (
              SELECT id, template, status, created_at, sent_at, business_id, livemode
                FROM email WHERE subscription_id = s.id ORDER BY created_at DESC LIMIT ${maxSearchedMails}) AS newest
             WHERE template = 'price_changing' ORDER BY created_at DESC LIMIT 1) AS mail
      FROM subscription s
     WHERE ${ownedBy(actor)} AND s.id = ANY(${rows.map(({ _id }) => _id)}::text[]) AND s.announced_amount_cents IS NOT NULL`,
  );
  const ofId = new Map(announced.map((price) => [price.id, price]));
  const mayReadMails = allows(actor.scopes, "emails:read");
  return rows.flatMap(({ _id, email, package: { name, currency } }) => {
    const price = ofId.get(_id);
    if (!price) return [];
    const { amount_cents, mail } = price;
    return [
      {
        subscription_id: _id,
        ...{ email, package: name, amount: amount_cents / 100, amount_cents, currency },
        mail: mayReadMails ? mail : null,
      },
    ];
  });
}
