/** Moves what a customer still has to a new e-mail address (docs/decisions/0060-customers-and-cards.md). */
import { type Actor, type Tenant, tenantOf } from "@/lib/auth/actor";
import { audit } from "@/lib/auth/audit";
import { clock } from "@/lib/core/clock";
import { type Db, db, execute, lockUntilCommit, Prisma, queryRows, transaction } from "@/lib/core/db";
import { lowerAscii } from "@/lib/core/email";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { maxKeys } from "@/lib/core/metadata-key";
import { inOrderOf } from "@/lib/http/list-streams";
import { maxNotesLength } from "@/lib/http/metadata";
import { type NewEvent, record } from "@/lib/outbox/record";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { subscriptions } from "@/lib/resources/subscriptions/resource";
import { eventTokenization, type StoredTokenization, tokenizations } from "@/lib/resources/tokenizations/resource";
import { type Customer, type CustomerRecord, type EmailChange, maxMoved } from "./contract";
import { describeCustomers, ofCustomer } from "./figures";
import { customers, key } from "./resource";
import { getCustomer, type LockedCustomer, lockCustomer } from "./service";

/** How many of a customer's links one transaction reads. It moves the open ones among them. */
const linksPerBatch = 500;

const movable = Prisma.sql`status IN ('Active', 'Inactive', 'Processing') AND deleted_at IS NULL`;
const running = Prisma.sql`status NOT IN ('cancel', 'completed') AND deleted_at IS NULL`;
const usable = Prisma.sql`status IN ('pending', 'active')`;

/** Both in lower case. */
interface Move {
  from: string;
  to: string;
}

/** The last link that was read. */
interface Position {
  at: string;
  id: string;
}

/**
 * Changes a customer's e-mail. Subscriptions, their open periods and the cards move in one transaction: billing finds a card by
 * the subscription's e-mail, so it never sees one without the other.
 * @throws ApiError not_found, customer_exists, nothing_to_move, conflict; ValidationError if the address is the same
 */
export function changeCustomerEmail(tx: Db, actor: Actor, id: string, input: EmailChange): Promise<Customer> {
  return transaction(tx, async (tx) => {
    const { business_id, livemode } = tenantOf(actor);
    const move = { from: lowerAscii(id), to: lowerAscii(input.email) };
    const target = move.to;
    await getCustomer(tx, actor, move.from);
    if (target === move.from) throw new ValidationError({ email: ["The email is the one that the customer has."] });
    // One at a time, because two changes can have an address in common.
    await lockUntilCommit(tx, `change e-mail ${business_id} ${livemode}`);
    const was = await lockCustomer(tx, actor, move.from);
    const other = await lockCustomer(tx, actor, target);
    await assertMayMove(tx, actor, was, other);
    const moved = await moveRunning(tx, actor, move);
    const now = clock.now();
    const rest = await moveLinks(tx, actor, move, { at: "-infinity", id: "" }, now);
    if (moved + rest.moved === 0 && rest.next === null) throw new ApiError("nothing_to_move");
    const is = await moveRecord(tx, actor, was, other, now);
    await execute(
      tx,
      Prisma.sql`
      UPDATE customer SET moved_to_at = ${rest.next?.at ?? null}::timestamptz, moved_to_id = ${rest.next?.id ?? null}
       WHERE id = ${was._id}`,
    );
    await record(tx, actor, [{ type: "customer.email_changed", data: { ...is, previous_email: was.email } }]);
    await audit(tx, business_id, {
      ...{ action: "customer.email_changed", livemode, resource_id: target, about: is.name ?? target },
      ...{ before: { email: was.email }, after: { email: target } },
    });
    return getCustomer(tx, actor, target);
  });
}

/**
 * An address that has rows of its own is refused, with two exceptions: the address from which this customer came, which takes a
 * change back; and the one to which it has been changed, for links that were created for the old address since.
 * @throws ApiError customer_exists, conflict
 */
async function assertMayMove(tx: Db, actor: Actor, was: LockedCustomer, other: LockedCustomer): Promise<void> {
  const isSame = other.changed_to === was.email || was.changed_to === other.email;
  if (!isSame && (await describeCustomers(tx, actor, [other.email], 0)).length > 0)
    throw new ApiError("customer_exists");
  const [moving] = await queryRows(
    tx,
    Prisma.sql`
    SELECT FROM customer WHERE ${customers.ownedBy(actor)} AND moved_to_at IS NOT NULL
       AND (email = ${was.email} OR changed_to = ${was.email} OR email = ${other.email}) LIMIT 1`,
  );
  if (moving) throw new ApiError("conflict", "The customer's links are still being moved. Try again in a few seconds.");
}

/** Moves running subscriptions with their open links, and the cards. The subscriptions are locked first, as everywhere. */
async function moveRunning(tx: Db, actor: Actor, { from, to }: Move) {
  const now = clock.now();
  const subscriptionIds = await lockSubscriptions(tx, actor, from);
  const cardIds = await lockCards(tx, actor, from);
  const movedCards = await queryRows<StoredTokenization>(
    tx,
    Prisma.sql`UPDATE tokenization SET email = ${to} WHERE id = ANY(${cardIds}::text[]) RETURNING ${tokenizations.columns(now)}`,
  );
  await execute(tx, Prisma.sql`UPDATE subscription SET email = ${to} WHERE id = ANY(${subscriptionIds}::text[])`);
  const links = await queryRows<PaymentLink>(
    tx,
    Prisma.sql`
    UPDATE payment_link SET email = ${to} WHERE subscription_id = ANY(${subscriptionIds}::text[]) AND ${movable}
    RETURNING ${paymentLinks.columns(now)}`,
  );
  const movedSubscriptions = await queryRows<Subscription>(
    tx,
    Prisma.sql`SELECT ${subscriptions.columns(now)} FROM subscription WHERE id = ANY(${subscriptionIds}::text[]) ORDER BY id`,
  );
  await record(tx, actor, [
    ...movedCards.map((card): NewEvent => ({ type: "tokenization.updated", data: eventTokenization(card) })),
    ...links.map((link): NewEvent => ({ type: "payment_link.updated", data: link })),
    ...movedSubscriptions.map((data): NewEvent => ({ type: "subscription.updated", data })),
  ]);
  return movedCards.length + links.length + movedSubscriptions.length;
}

const idsOf = (rows: { id: string }[]): string[] => {
  if (rows.length > maxMoved) throw new ApiError("conflict", tooMany);
  return rows.map(({ id }) => id);
};

/** @throws ApiError conflict if there are too many */
async function lockSubscriptions(tx: Db, tenant: Tenant, from: string): Promise<string[]> {
  const wanted = [customers.ownedBy(tenant), ...ofCustomer(from), running];
  const found = await queryRows<{ id: string }>(
    tx,
    Prisma.sql`SELECT id FROM (${inOrderOf("subscription", wanted, key, maxMoved + 1)}) AS found`,
  );
  const locked = await queryRows<{ id: string }>(
    tx,
    Prisma.sql`
    SELECT id FROM subscription WHERE id = ANY(${idsOf(found)}::text[]) AND ${running} AND lower(email COLLATE "C") = ${from}
     ORDER BY id FOR UPDATE`,
  );
  return idsOf(locked);
}

/**
 * A payer who saves a card locks the card before the subscriptions: to wait for the card here would be a deadlock.
 * @throws ApiError conflict if there are too many, or one is being saved
 */
async function lockCards(tx: Db, tenant: Tenant, from: string): Promise<string[]> {
  const wanted = [customers.ownedBy(tenant), ...ofCustomer(from), usable];
  const found = await queryRows<{ id: string }>(
    tx,
    Prisma.sql`SELECT id FROM (${inOrderOf("tokenization", wanted, key, maxMoved + 1)}) AS found`,
  );
  const locked = await queryRows<{ id: string }>(
    tx,
    Prisma.sql`SELECT id FROM tokenization WHERE id = ANY(${idsOf(found)}::text[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`,
  );
  if (locked.length < found.length)
    throw new ApiError("conflict", "A card of the customer is being saved. Try again in a few seconds.");
  return idsOf(locked);
}

const tooMany = `The customer has more than ${maxMoved} running subscriptions or cards. Change the e-mail of each subscription instead.`;

/**
 * Reads the next links of the address, oldest first, and moves those that are open.
 * @param until links that were created later stay
 * @returns `next`: the position to go on from; null when all are moved
 */
async function moveLinks(tx: Db, tenant: Tenant, { from, to }: Move, { at, id }: Position, until: Date) {
  const order = Prisma.sql`${key}, payment_link.created_at, payment_link.id`;
  const conditions = [
    customers.ownedBy(tenant),
    Prisma.sql`deleted_at IS NULL`,
    Prisma.sql`(${key}, created_at, id) > (${from}::text, ${at}::timestamptz, ${id})`,
    Prisma.sql`(${key}, created_at) <= (${from}::text, ${until}::timestamptz)`,
  ];
  const read = await queryRows<Position & { open: boolean }>(
    tx,
    Prisma.sql`
    SELECT id, created_at::text AS at, status IN ('Active', 'Inactive', 'Processing') AS open
      FROM (${inOrderOf("payment_link", conditions, order, linksPerBatch)}) AS payment_link ORDER BY created_at, id`,
  );
  const open = read.filter(({ open }) => open).map(({ id }) => id);
  const moved = await queryRows<PaymentLink>(
    tx,
    Prisma.sql`
    UPDATE payment_link SET email = ${to}
     WHERE id IN (SELECT id FROM payment_link WHERE id = ANY(${open}::text[]) AND ${movable}
                     AND lower(email COLLATE "C") = ${from} ORDER BY id FOR NO KEY UPDATE)
    RETURNING ${paymentLinks.columns()}`,
  );
  await record(
    tx,
    tenant,
    moved.map((link) => ({ type: "payment_link.updated", data: link })),
  );
  const last = read.at(-1);
  return { moved: moved.length, next: read.length < linksPerBatch || !last ? null : { at: last.at, id: last.id } };
}

/** Name, notes and metadata go with the customer; the old address keeps the name, for what was paid. */
async function moveRecord(
  tx: Db,
  actor: Actor,
  was: LockedCustomer,
  other: LockedCustomer,
  now: Date,
): Promise<CustomerRecord> {
  const [newer, older] = was.changed_to === other.email ? [other, was] : [was, other];
  const name = newer.name ?? older.name;
  const notes = joined(newer.notes, older.notes);
  // The newer keys come first: with too many, older ones are left out.
  const keys = Object.entries({ ...newer.metadata, ...older.metadata, ...newer.metadata }).slice(0, maxKeys);
  const metadata = JSON.stringify(Object.fromEntries(keys));
  await execute(
    tx,
    Prisma.sql`
    UPDATE customer SET changed_to = ${other.email} WHERE ${customers.ownedBy(actor)} AND changed_to = ${was.email}
       AND email <> ${other.email}`,
  );
  await execute(
    tx,
    Prisma.sql`
    UPDATE customer SET notes = NULL, metadata = '{}', changed_to = ${other.email}, changed_at = ${now}::timestamptz
     WHERE id = ${was._id}`,
  );
  const set = Prisma.sql`
    name = ${name}, notes = ${notes}, metadata = ${metadata}::jsonb, changed_to = NULL, changed_at = NULL`;
  return customers.orNotFound(await customers.update(tx, actor, other._id, set));
}

function joined(newer: string | null, older: string | null): string | null {
  if (newer === null || older === null || newer === older) return newer ?? older;
  return [...`${newer}\n\n${older}`].slice(0, maxNotesLength).join("");
}

interface Moving extends Position {
  row: string;
  business_id: number;
  livemode: boolean;
  from: string;
  to: string;
  until: Date;
  ahead: number;
}

/** The links that a change of e-mail left to a job. Safe to run concurrently and to repeat: each batch commits with its position. */
export async function moveLinksOfCustomers(stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted && (await moveNextLinks())) {}
}

async function moveNextLinks(): Promise<boolean> {
  const [waiting] = await queryRows<{ id: string; ahead: number }>(
    db,
    Prisma.sql`
    SELECT c.id, CASE WHEN c.livemode THEN 0 ELSE b.test_clock_ahead END::float8 AS ahead
      FROM customer c JOIN business b ON b.id = c.business_id
     WHERE c.moved_to_at IS NOT NULL ORDER BY c.changed_at LIMIT 1`,
  );
  if (!waiting) return false;
  return clock.ahead(waiting.ahead, () => transaction(db, (tx) => moveBatch(tx, waiting.id)));
}

/** @returns whether it has moved a batch: false if another process does */
async function moveBatch(tx: Db, id: string): Promise<boolean> {
  const [row] = await queryRows<Moving>(
    tx,
    Prisma.sql`
    SELECT c.id AS row, c.business_id, c.livemode, c.email AS "from", c.changed_to AS "to", c.changed_at AS until,
           c.moved_to_at::text AS at, c.moved_to_id AS id
      FROM customer c WHERE c.id = ${id} AND c.moved_to_at IS NOT NULL FOR NO KEY UPDATE SKIP LOCKED`,
  );
  if (!row) return false;
  const { business_id: businessId, livemode, until } = row;
  const { next } = await moveLinks(tx, { businessId, livemode }, row, row, until);
  await execute(
    tx,
    Prisma.sql`
    UPDATE customer SET moved_to_at = ${next?.at ?? null}::timestamptz, moved_to_id = ${next?.id ?? null} WHERE id = ${id}`,
  );
  return true;
}
