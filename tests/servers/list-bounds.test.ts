import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { firstIdAt, newId } from "@/lib/core/id";
import { cursorAt, maxChecked, maxTotal } from "@/lib/http/list";
import { changeCustomerEmail, moveLinksOfCustomers } from "@/lib/resources/customers/change-email";
import { customerEndpoints, summedLinks } from "@/lib/resources/customers/contract";
import { listCustomers } from "@/lib/resources/customers/service";
import { sendBundles } from "@/lib/resources/notifications/bundles";
import { getNotifications } from "@/lib/resources/notifications/service";
import { kindNames } from "@/lib/resources/notifications/types";
import { maxSubscribers } from "@/lib/resources/packages/contract";
import { packages } from "@/lib/resources/packages/resource";
import { paymentLinkListQuery } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import { paymentListQuery } from "@/lib/resources/payments/contract";
import { listPayments } from "@/lib/resources/payments/resource";
import { subscriptionListQuery } from "@/lib/resources/subscriptions/contract";
import { subscriptions } from "@/lib/resources/subscriptions/resource";
import { timelineOfCustomer } from "@/lib/resources/timeline/service";
import { maxRedeliveredIds } from "@/lib/resources/webhook-endpoints/contract";
import { redeliverFailed } from "@/lib/resources/webhook-endpoints/deliveries";
import { actorOf, tasks } from "@/tests/bench/scale";
import { benchId, seedBusiness, seededTables, seedSmallBusinesses, withPendingEntries } from "@/tests/bench/scale-seed";
import { countEntries, countEntriesOfEach, relationsOf } from "@/tests/support/entries-read";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";

const rows = 9_000;
const amounts = { links: rows, subscriptions: rows, events: rows, others: rows };

let actor = actorOf(0);
let client: Client;

beforeAll(async () => {
  // A database of its own: other tests' rows would change the statistics, and with them the plans.
  const connectionString = await createDatabase();
  Object.assign(process.env, { DATABASE_URL: connectionString }); // before the first query
  client = new Client({ connectionString: ownerUrl(connectionString) });
  await client.connect();
  for (const table of await relationsOf(client, seededTables))
    await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  // The seeded rows refer to rows that exist. Checking the foreign keys would take a fifth of the time.
  await client.query(`
    DO $$ DECLARE checked record; BEGIN
      FOR checked IN SELECT tgrelid::regclass AS of, tgname FROM pg_trigger WHERE tgname LIKE 'RI_ConstraintTrigger_c_%' LOOP
        EXECUTE format('ALTER TABLE %s DISABLE TRIGGER %I', checked.of, checked.tgname);
      END LOOP;
    END $$`);
  const id = await seedBusiness(client, amounts);
  await client.query("UPDATE payment_link SET status = 'Processing' WHERE id = ANY ($1)", [
    [benchId("pl", id, 4), benchId("pl", id, 8)],
  ]);
  await client.query("ANALYZE");
  actor = actorOf(id);
});

afterAll(() => client.end());

const tables = [...seededTables, "webhook_attempt"];
const costOf = (work: () => Promise<unknown>, plan: string) => countEntries(tables, work, plan);

// tests/servers/overview.test.ts has the bounds of the overview and the forecast.
const lists = tasks.filter(({ name }) => !/^\/reports|forecast/.test(name));
// No index serves these filters alone or together, so rows are checked one by one. A search adds a lookup a day.
const isChecked = /\?q=[^&]*&|path=|actor=|amount_|sort=[^&]*&|subscriptions.*currency=|ended_from=/;

/**
 * @param versions index entries of each row, with those of its dead versions
 */
function holdsTheBounds({ versions = 1 } = {}): void {
  it.each(lists.map((task) => [task.name, task] as const))("%s", async (name, { first, last }) => {
    // Going back to where nothing is begins the list anew.
    // The search of everything reads a page of five lists, and some customers.
    const reads = name.startsWith("/search") ? 6 : name.endsWith("=nothing") ? 2 : 1;
    const limit = reads * versions * ((isChecked.test(name) ? maxChecked : 0) + 1_200);
    // Lists with filters are planned at each run, as `auto` does with statements that are not prepared.
    for (const plan of /^\/(?!customers\?q=[^&]*@$).*\?/.test(name)
      ? ["auto"]
      : ["force_custom_plan", "force_generic_plan"]) {
      const pages = [first, ...(last ? [last] : [])].map((page) => () => page(actor));
      for (const cost of await countEntriesOfEach(tables, pages, plan)) expect(cost, plan).toBeLessThan(limit);
    }
  });
}

describe(`a page reads few of ${rows} rows`, () => holdsTheBounds());

describe(`the notifications of a member of a business with ${rows} events`, () => {
  const at = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString();

  async function memberOf(businessId: number) {
    const id = newId("usr");
    await db.user.create({ data: { id, email: `${id}@example.com`, name: "Ada", password_hash: "" } });
    await db.membership.create({ data: { business_id: businessId, user_id: id, role: "owner" } });
    const since = Object.fromEntries(kindNames.map((kind) => [kind, at(9_000)]));
    const state = { business_id: businessId, user_id: id, livemode: false, bell: since, mail: since };
    await db.notificationState.create({
      data: { ...state, bundles: true, read_until: at(9_000), mailed_until: at(9_000) },
    });
    return id;
  }

  it("are read in bounded work, also by the job of the mails", async () => {
    await client.query(
      `INSERT INTO event (id, business_id, livemode, type, resource_id, sequence, data, actor_type, created_at)
       SELECT 'evt_bell' || n, $1::int, false, CASE n % 2 WHEN 0 THEN 'payment.succeeded' ELSE 'payment.failed' END, 'pay_bell' || n, 1,
              '{"amount_cents":1050,"currency":"EUR"}', 'payer', clock_timestamp() - n * interval '3 minutes'
         FROM generate_series(1, $2::int) AS n`,
      [actor.businessId, rows],
    );
    await client.query("VACUUM ANALYZE event");
    const id = await memberOf(actor.businessId);
    const session = {
      id: "s",
      role: "owner",
      confirmed: true,
      lacksSecondFactor: false,
      mustVerifyEmail: false,
    } as const;
    const person = { ...actor, who: { type: "user", id }, session } as const;
    expect((await getNotifications(db, person)).unread).toBe(100);
    // Both statements with an order are planned at each run.
    expect(await costOf(() => getNotifications(db, person), "auto")).toBeLessThan(600);
    // It also queues the mail, once.
    expect(await costOf(() => sendBundles(), "auto")).toBeLessThan(1_500);
    expect(await db.email.count({ where: { template: "notifications", business_id: actor.businessId } })).toBe(1);
    await db.notificationState.updateMany({ where: { user_id: id }, data: { mailed_at: null } });
    expect(await costOf(() => sendBundles(), "force_generic_plan"), "without new events").toBeLessThan(100);
    expect(await db.email.count({ where: { template: "notifications", business_id: actor.businessId } })).toBe(1);
  });
});

describe(`a customer with ${rows} payment links`, () => {
  const email = "heavy@example.com";
  let owner = actorOf(0);

  beforeAll(async () => {
    // The timeline's bound is lower than the number of others.
    const some = { ...amounts, subscriptions: 100, events: 2 * rows, others: 4_000 };
    owner = actorOf(await seedBusiness(client, some, email));
    await client.query(
      `UPDATE tokenization SET email = $2 WHERE business_id = $1
          AND id IN (SELECT id FROM tokenization WHERE business_id = $1 ORDER BY id LIMIT 100)`,
      [owner.businessId, email],
    );
    await client.query("VACUUM ANALYZE payment_link, subscription, tokenization");
  });

  it.each(["force_custom_plan", "force_generic_plan"])("has a timeline that reads few of them (%s)", async (plan) => {
    const page = { per_page: 25, cursor: null, sort: "-created_at", with_total: false } as const;
    const query = { ...page, created_from: null, created_to: null };
    const first = await timelineOfCustomer(db, owner, email, query);
    expect(first.rows).toHaveLength(25);
    const next = { ...query, cursor: first.page.next_cursor };
    for (const read of [query, next])
      expect(await costOf(() => timelineOfCustomer(db, owner, email, read), plan)).toBeLessThan(3_000);
  });

  it("gets another e-mail a batch of links at a time", async () => {
    const moved = () => db.paymentLink.count({ where: { business_id: owner.businessId, email: "new@example.com" } });
    const change = () => changeCustomerEmail(db, owner, email, { email: "new@example.com" });
    // The customer is read before and after, each time with the sums of some links. Each is two entries.
    expect(await costOf(change, "auto")).toBeLessThan(2 * 2 * summedLinks.one + 10_000);
    const first = await moved();
    expect(first).toBeGreaterThan(0);
    const stopping = new AbortController();
    const batch = () => {
      const done = moveLinksOfCustomers(stopping.signal);
      stopping.abort(); // after this batch
      return done;
    };
    expect(await costOf(batch, "auto")).toBeLessThan(7_000);
    expect(await moved()).toBeGreaterThan(first);
  });
});

describe("a list by the time of settlement", () => {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
  const query = paymentListQuery.parse({
    settled_from: day(3),
    settled_to: day(2.5),
    per_page: "100",
    with_total: "true",
  });
  const settle = (ago: number, ids: string[]) =>
    client.query("UPDATE payment SET settled_at = $2 WHERE id = ANY ($1)", [ids, day(ago)]);
  // The rows are as before for the other parts.
  afterAll(async () => {
    await client.query(
      "UPDATE payment SET settled_at = created_at WHERE business_id = $1 AND settled_at > created_at",
      [actor.businessId],
    );
    await client.query("VACUUM payment");
  });
  const found = async () => {
    const { rows: payments, page } = await listPayments(db, actor, query);
    return { ids: payments.map(({ _id }) => _id), total: page.total, more: page.next_cursor !== null };
  };

  it("has what settled long after it was created, and reads no more than to there", async () => {
    const before = await found();
    const late = benchId("pay", actor.businessId, rows - 1_000);
    await settle(2.75, [late]);
    expect(await found()).toEqual({ ids: [...before.ids, late], total: before.ids.length + 1, more: false });
    // Each of the 1,000 rows since then, for the page and for the total.
    expect(await costOf(() => listPayments(db, actor, query), "auto")).toBeLessThan(2 * 1_200);
  });

  it("has all of them where they are many", async () => {
    const before = await found();
    const many = Array.from({ length: 1_100 }, (_, n) => benchId("pay", actor.businessId, rows - 1_001 - n));
    await settle(2.75, many);
    const { ids, total, more } = await found();
    expect(ids).toEqual([...before.ids, ...many].slice(0, 100));
    expect([total, more]).toEqual([before.ids.length + 1_100, true]);
  });
});

describe("a redelivery of what failed since the endpoint has been failing", () => {
  const days = 3;

  it("reads few of the deliveries that succeeded, or failed before", async () => {
    const id = benchId("whe", actor.businessId, 0);
    const since = new Date(Date.now() - days * 86_400_000);
    await client.query("BEGIN");
    await client.query("SET LOCAL session_replication_role = replica"); // updated_at stays
    await client.query(
      `UPDATE webhook_delivery SET status = 'failed'
        WHERE endpoint_id = $1 AND (created_at < $2::timestamptz - interval '40 days' OR created_at > $2)`,
      [id, since],
    );
    await client.query(
      `INSERT INTO webhook_attempt (id, delivery_id, status, latency_ms, created_at)
       SELECT CASE WHEN created_at > $2 THEN $3 ELSE $4 END || right(id, 26), id, 500, 1, created_at
         FROM webhook_delivery WHERE endpoint_id = $1`,
      [id, since, firstIdAt("wha", new Date()), firstIdAt("wha", new Date(since.getTime() - 86_400_000))],
    );
    await client.query("UPDATE webhook_endpoint SET failing_since = $2 WHERE id = $1", [id, since]);
    await client.query("COMMIT");
    await client.query("VACUUM ANALYZE webhook_delivery, webhook_attempt");
    const part = () => redeliverFailed(db, actor, id, null, 10);
    for (const some of await Promise.all([part(), part()]))
      expect(some).toMatchObject({ redelivered: 10, has_more: true });
    let redelivered = 20;
    const redeliver = async () => {
      const others = await redeliverFailed(db, actor, id, null);
      expect(others.has_more).toBe(false);
      expect(others.delivery_ids).toHaveLength(Math.min(others.redelivered, maxRedeliveredIds));
      redelivered += others.redelivered;
    };
    // PostgreSQL may read all deliveries of 30 days before.
    expect(await costOf(redeliver, "auto")).toBeLessThan(600);
    expect(redelivered).toBe(Math.floor((rows / 730) * days) + 1); // with that of now
  });
});

type Query = Record<string, string | Record<string, string>>;

const list = (query: Query) => paymentLinks.list(db, actor, paymentLinkListQuery.parse(query));

/** The ids of all pages, and how many pages there are. */
async function walk(query: Query, direction: "next_cursor" | "prev_cursor" = "next_cursor", from?: string) {
  const ids: string[] = [];
  let cursor: string | null | undefined = from;
  for (let pages = 1; ; pages++) {
    const { rows: found, page } = await list({ ...query, per_page: "100", ...(cursor ? { cursor } : {}) });
    const own = found.map(({ _id }) => _id);
    ids.push(...(direction === "next_cursor" ? own : own.reverse()));
    cursor = page[direction];
    if (cursor === null) return { ids, pages };
  }
}

async function expected(condition: string, sort = "-created_at"): Promise<string[]> {
  const order = Prisma.raw(sort === "created_at" ? "ASC" : "DESC");
  const found = await queryRows<{ id: string }>(
    db,
    Prisma.sql`
    SELECT id FROM payment_link WHERE business_id = ${actor.businessId} AND ${Prisma.raw(condition)}
     ORDER BY created_at ${order}, id ${order}`,
  );
  return found.map(({ id }) => id);
}

describe("all pages together have each matching row once, in order", () => {
  it.each([
    [{ q: "deposit" }, "title LIKE 'Deposit%'"],
    [{ q: "jub ORD" }, "title LIKE '%Jubilee%'"],
    [{ q: "order 400" }, "title || ' ' || coalesce(reference, '') ~ '[ -]400'"],
    [{ q: "c7 invoice" }, "false"],
    [{ q: "order", currency: "GBP" }, "currency = 'GBP'"],
    [{ metadata: { channel: "web" } }, "metadata->>'channel' = 'web'"],
    [{ metadata: { order_id: "4000" } }, "metadata->>'order_id' = '4000'"],
    [{ metadata: { channel: "web", order_id: "4001" } }, "false"],
    [{ metadata: { channel: "web" }, status: "Inactive" }, "metadata->>'channel' = 'web' AND status = 'Inactive'"],
    [{ currency: "GBP" }, "currency = 'GBP'"],
    [{ subscription: "none" }, "subscription_id IS NULL"],
    [{ subscription: "none", status: "Inactive" }, "subscription_id IS NULL AND status = 'Inactive'"],
    [{ paid: "false" }, "status <> 'Paid'"],
    [{ status: "Inactive", currency: "EUR" }, "status = 'Inactive' AND currency = 'EUR'"],
    [{ email: "c7@example.com", status: "Paid" }, "email = 'c7@example.com' AND status = 'Paid'"],
    [{ q: "jubilee", created_from: "2020-01-01", created_to: "2099-01-01" }, "title LIKE '%Jubilee%'"],
  ] as [Query, string][])("%j", async (query, condition) => {
    for (const sort of ["-created_at", "created_at"]) {
      const ids = await expected(condition, sort);
      if (query.metadata) expect(ids.length > 0, condition).toBe(condition !== "false");
      expect((await walk({ ...query, sort })).ids).toEqual(ids);
      const at = sort === "created_at" ? "2999-01-01T00:00:00.000000Z" : "1970-01-02T00:00:00.000000Z";
      const fromTheEnd = cursorAt("payment_link", sort, { back: true, at, id: "0" });
      expect((await walk({ ...query, sort }, "prev_cursor", fromTheEnd)).ids).toEqual(ids.reverse());
    }
  });

  it.each([
    ["amount", {}, "amount_cents", "true"],
    ["amount", { status: "Inactive" }, "amount_cents", "status = 'Inactive'"],
    ["amount", { email: "c7@example.com" }, "amount_cents", "email = 'c7@example.com'"],
    ["email", {}, `lower(email COLLATE "C")`, "true"],
  ] as [string, Query, string, string][])("also by %s with %j", async (field, query, column, condition) => {
    for (const order of ["DESC", "ASC"]) {
      const sort = order === "DESC" ? `-${field}` : field;
      const found = await queryRows<{ id: string }>(
        db,
        Prisma.sql`
        SELECT id FROM payment_link WHERE business_id = ${actor.businessId} AND ${Prisma.raw(condition)}
         ORDER BY ${Prisma.raw(`${column} ${order}, created_at ${order}, id ${order}`)}`,
      );
      const ids = found.map(({ id }) => id);
      expect(ids.length).toBeGreaterThan(0);
      expect((await walk({ ...query, sort })).ids).toEqual(ids);
      const first = await list({ ...query, sort, per_page: "100" });
      const second = await list({ ...query, sort, cursor: first.page.next_cursor ?? "" });
      // With a filter, a page may end before it is full: going back to where nothing is begins the list anew.
      if (first.page.next_cursor && Object.keys(query).length === 0)
        expect((await walk({ ...query, sort }, "prev_cursor", second.page.prev_cursor ?? "")).ids.reverse()).toEqual(
          ids.slice(0, first.rows.length),
        );
    }
  });

  it("also where a page ends before it is full", async () => {
    const query = { q: "order", status: "Processing" };
    const first = await list(query);
    expect(first.rows).toEqual([]);
    expect(first.page).toMatchObject({ next_cursor: expect.any(String), prev_cursor: null });
    const ids = await expected("status = 'Processing'");
    expect(ids).toHaveLength(2);
    expect(await walk(query)).toEqual({ ids, pages: 2 });
    const second = await list({ ...query, cursor: first.page.next_cursor ?? "" });
    expect((await walk(query, "prev_cursor", second.page.prev_cursor ?? "")).ids).toEqual([]);
  });
});

describe("with_total", () => {
  it("is exact up to a limit, then a lower bound", async () => {
    const totalOf = async (query: Query) => {
      const { total, total_is_lower_bound } = (await list({ ...query, with_total: "true" })).page;
      return [total, total_is_lower_bound];
    };
    expect(await totalOf({})).toEqual([maxTotal, true]);
    expect(await totalOf({ q: "order" })).toEqual([maxTotal, true]);
    expect(await totalOf({ currency: "EUR" })).toEqual([maxTotal, true]);
    expect(await totalOf({ currency: "GBP" })).toEqual([rows / 20, false]);
    expect(await totalOf({ q: "deposit" })).toEqual([rows / 1000, false]);
    const { sums } = (await list({ with_total: "true", per_page: "1" })).page;
    expect(sums?.reduce((sum, { count }) => sum + count, 0)).toBe(maxTotal);
    // Counted among the rows that are read.
    expect(await totalOf({ q: "order", status: "Processing" })).toEqual([0, true]);
  });

  it("reads few rows of subscriptions and customers", async () => {
    const given = { with_total: "true", per_page: "1" };
    const priced = () => subscriptions.list(db, actor, subscriptionListQuery.parse({ ...given, amount_from: "1" }));
    expect((await priced()).page).toMatchObject({ total: maxTotal, total_is_lower_bound: true });
    expect(await costOf(priced, "auto")).toBeLessThan(2 * (maxTotal + 1) + 1_200);
    for (const filter of [{ created_from: "2020-01-01" }, { sort: "email" }, { q: "example" }]) {
      const counted = () => listCustomers(db, actor, customerEndpoints.list.query.parse({ ...given, ...filter }));
      expect((await counted()).page, JSON.stringify(filter)).toMatchObject({ total: maxTotal });
      // Each customer is looked up in the indexes of links, subscriptions and cards.
      expect(await costOf(counted, "auto"), JSON.stringify(filter)).toBeLessThan(5 * (maxTotal + 1));
    }
  });
});

it(`counts at most ${maxSubscribers} subscribers of a package`, async () => {
  const { rows: made } = await client.query<{ id: number }>("INSERT INTO business (name) VALUES ('Club') RETURNING id");
  const owner = actorOf(made[0]?.id ?? 0);
  const id = benchId("pkg", owner.businessId, 3);
  await client.query(
    `INSERT INTO package (id, business_id, livemode, name, amount_cents, frequency, currency)
     VALUES ($1, $2, false, 'Club', 500, 'monthly', 'EUR')`,
    [id, owner.businessId],
  );
  await client.query("BEGIN");
  await client.query("SET LOCAL session_replication_role = replica"); // triggers would look at each row
  await client.query(
    `INSERT INTO subscription (id, business_id, livemode, package_id, email, amount_cents, status, ended_at, churned, anchor,
                               timezone, created_at, updated_at)
     SELECT 'sub_club' || n, $2, false, $1, 's' || n || '@example.com', 500,
            CASE n % 10 WHEN 0 THEN 'cancel' WHEN 1 THEN 'created' ELSE 'active' END, CASE n % 10 WHEN 0 THEN now() END,
            CASE n % 10 WHEN 0 THEN true END, '2026-01-01T00:00:00', 'UTC', now(), now()
       FROM generate_series(1, $3::int) AS n`,
    [id, owner.businessId, 2 * maxSubscribers],
  );
  await client.query("COMMIT");
  await client.query("VACUUM ANALYZE subscription");
  for (const plan of ["force_custom_plan", "force_generic_plan"]) {
    const read = await costOf(async () => {
      expect(await packages.get(db, owner, id)).toMatchObject({ subscriber_count: maxSubscribers });
    }, plan);
    expect(read, plan).toBeLessThan(maxSubscribers + 100);
  }
});

// Each part changes the database of the one before. Statistics change only by ANALYZE, dead rows stay.
describe("among many small businesses, a page reads as few rows", () => {
  describe("with statistics from before they came", () => {
    beforeAll(() => seedSmallBusinesses(client, 1_500, 3));
    holdsTheBounds();
  });

  describe("with current statistics", () => {
    beforeAll(async () => void (await client.query("ANALYZE")));
    holdsTheBounds();
  });

  describe("of a business that the statistics do not know", () => {
    beforeAll(async () => {
      actor = actorOf(await seedBusiness(client, amounts));
    });
    holdsTheBounds();
  });

  describe("without statistics", () => {
    beforeAll(async () => {
      const tables = await relationsOf(client, seededTables);
      await client.query("DELETE FROM pg_statistic WHERE starelid = ANY ($1::regclass[])", [tables]);
      for (const table of tables) await client.query("SELECT pg_clear_relation_stats('public', $1)", [table]);
    });
    holdsTheBounds();
  });

  describe("with many dead rows", () => {
    beforeAll(async () => {
      await client.query("ANALYZE");
      await client.query("SET session_replication_role = replica"); // without the checks of foreign keys
      await withPendingEntries(client, async () => {
        for (const table of seededTables) {
          await client.query(`DELETE FROM ${table} WHERE business_id <> $1 AND business_id % 2 = 0`, [
            actor.businessId,
          ]);
          await client.query(`UPDATE ${table} SET id = id WHERE business_id = $1`, [actor.businessId]);
        }
      });
    });
    holdsTheBounds({ versions: 2 });
  });
});
