import { type Actor, type Tenant, tenantOf } from "@/lib/auth/actor";
import { audit, changed } from "@/lib/auth/audit";
import { clock, isoMicros } from "@/lib/core/clock";
import { type Db, execute, Prisma, queryRows, transaction } from "@/lib/core/db";
import { lowerAscii } from "@/lib/core/email";
import { notFound, ValidationError } from "@/lib/core/errors";
import { newId } from "@/lib/core/id";
import { maxKeys } from "@/lib/core/metadata-key";
import type { Page } from "@/lib/http/handle";
import { maxTotal } from "@/lib/http/list";
import { tooManyKeys } from "@/lib/http/metadata";
import { record } from "@/lib/outbox/record";
import { assertNotesUnchanged } from "@/lib/resources/annotations/resource";
import {
  type Customer,
  type CustomerListQuery,
  type CustomerNames,
  type CustomerRecord,
  type CustomerUpdate,
  summedLinks,
} from "./contract";
import { countEmails, pageOfEmails } from "./emails";
import { describeCustomers } from "./figures";
import { customerRowQuery, customers } from "./resource";

const everyCustomer = customerRowQuery.parse({ present: "true" });

/**
 * Lists customers by e-mail: it steps from one e-mail to the next by index, so that the cost depends on the page's size alone.
 * With words in `q` or other filters, or sorted by when they were first seen, it reads the table of customers by time.
 * @throws ValidationError for an order in which the filters cannot be read
 */
export async function listCustomers(tx: Db, actor: Actor, query: CustomerListQuery): Promise<Page<Customer>> {
  const { per_page, cursor, with_total, created_from, created_to, metadata } = query;
  const given = query.q?.trim() || null;
  const filtered = created_from || created_to || metadata;
  // No index has the beginnings of e-mails in the order of time. So with other filters, `q` is a search for words.
  const [q, prefix] = given?.includes("@") && !filtered ? [null, lowerAscii(given)] : [given, null];
  const order = query.sort?.replace("-", "");
  const needs = q || filtered ? "created_at" : prefix && "email";
  if (needs && order && order !== needs)
    throw new ValidationError({ sort: [`With these filters, customers are sorted by ${needs}.`] });
  if ((order ?? needs ?? "email") === "email") {
    const walked = { per_page, cursor, q: prefix, descending: query.sort === "-email" };
    const { rows, page } = await pageOfEmails(tx, actor, walked);
    const total = with_total ? await totalOf(tx, actor, prefix) : {};
    return { rows: await describeCustomers(tx, actor, rows), page: { ...page, ...total } };
  }
  const sort = query.sort === "created_at" ? "created_at" : "-created_at";
  const filters = { q, created_from, created_to, metadata };
  const { rows, page } = await customers.list(tx, actor, {
    ...everyCustomer,
    ...filters,
    ...{ per_page, cursor, sort, with_total },
  });
  const emails = rows.map(({ email }) => email);
  return { rows: await describeCustomers(tx, actor, emails), page };
}

/** How many customers there are whose e-mail begins with the prefix. */
async function totalOf(tx: Db, actor: Actor, prefix: string | null) {
  if (prefix === null) {
    const { page } = await customers.list(tx, actor, { ...everyCustomer, per_page: 1, with_total: true });
    return { total: page.total, total_is_lower_bound: page.total_is_lower_bound };
  }
  const found = await countEmails(tx, actor, prefix, maxTotal + 1);
  return { total: Math.min(found, maxTotal), total_is_lower_bound: found > maxTotal };
}

/** @throws ApiError not_found */
export async function getCustomer(tx: Db, actor: Actor, email: string): Promise<Customer> {
  const [found] = await describeCustomers(tx, actor, [lowerAscii(email)], summedLinks.one);
  if (!found) throw notFound("Customer");
  return found;
}

/** The names of those of these customers that have one. @param emails with commas between them */
export async function namesOfCustomers(tx: Db, actor: Actor, emails: string): Promise<CustomerNames> {
  const names = await namesOf(tx, actor, emails.split(","));
  return { _id: "names", names, created_at: isoMicros(clock.now()) };
}

/** One lookup for each address. @returns the addresses in lower case */
export function namesOf(tx: Db, tenant: Tenant, emails: readonly string[]): Promise<CustomerNames["names"]> {
  const wanted = [...new Set(emails.map((email) => lowerAscii(email.trim())))];
  return queryRows(
    tx,
    Prisma.sql`
    SELECT email, name FROM customer
     WHERE ${customers.ownedBy(tenant)} AND email = ANY(${wanted}::text[]) AND name IS NOT NULL ORDER BY email`,
  );
}

type Written = Pick<Customer, "name" | "notes" | "metadata">;

/** Keys that are not given stay. @throws ValidationError for too many keys */
function changedMetadata(was: Customer["metadata"], change: CustomerUpdate["metadata"]): Customer["metadata"] {
  if (change === undefined) return was;
  const all = Object.entries(change === null ? {} : { ...was, ...change });
  const kept = all.filter((entry): entry is [string, string] => Boolean(entry[1]));
  if (kept.length > maxKeys) throw new ValidationError({ metadata: [tooManyKeys] });
  return Object.fromEntries(kept);
}

/** What the row of a customer has. `changed_to` is the present address of a customer whose e-mail was changed. */
export type LockedCustomer = CustomerRecord & { changed_to: string | null };

/** Locks a customer's row until the transaction ends. A trigger adds it with the first link; else this does. */
export async function lockCustomer(tx: Db, actor: Actor, email: string): Promise<LockedCustomer> {
  const { business_id, livemode } = tenantOf(actor);
  await execute(
    tx,
    Prisma.sql`
    INSERT INTO customer (id, business_id, livemode, email) VALUES (${newId("cus")}, ${business_id}, ${livemode}, ${email})
    ON CONFLICT (business_id, livemode, email) DO NOTHING`,
  );
  const [row] = await queryRows<LockedCustomer>(
    tx,
    Prisma.sql`
    SELECT ${customers.columns()}, changed_to FROM customer
     WHERE ${customers.ownedBy(actor)} AND email = ${email} FOR NO KEY UPDATE`,
  );
  if (!row) throw new Error("A customer's row is missing.");
  return row;
}

/** Changes what staff have written about a customer. @throws ApiError not_found, ValidationError */
export function updateCustomer(tx: Db, actor: Actor, id: string, input: CustomerUpdate): Promise<Customer> {
  return transaction(tx, async (tx) => {
    const { email } = await getCustomer(tx, actor, id);
    const { business_id, livemode } = tenantOf(actor);
    const was = await lockCustomer(tx, actor, email);
    assertNotesUnchanged(was.notes, { ...input, notes: input.notes?.trim() || null });
    const is: Written = {
      name: input.name === undefined ? was.name : input.name?.trim() || null,
      notes: input.notes === undefined ? was.notes : input.notes?.trim() || null,
      metadata: changedMetadata(was.metadata, input.metadata),
    };
    const difference = changed({ name: was.name, notes: was.notes, metadata: was.metadata }, is);
    if (difference) {
      const { name, notes } = is;
      const metadata = Prisma.sql`metadata = ${JSON.stringify(is.metadata)}::jsonb`;
      const set = Prisma.sql`name = ${name}, notes = ${notes}, ${metadata}`;
      const row = customers.orNotFound(await customers.update(tx, actor, was._id, set));
      await record(tx, actor, [{ type: "customer.updated", data: row }]);
      await audit(tx, business_id, {
        ...{ action: "customer.changed", livemode, resource_id: email, about: name ?? email },
        ...difference,
      });
    }
    return getCustomer(tx, actor, email);
  });
}
