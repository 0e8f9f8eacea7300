import { db, pool } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { anchorOf, dayNumber, dayOf, type Frequency, instantOf, nthDay, readZone, type Zone } from "./r9-model";
import { between, random } from "./seeded";

/** A subscription as inserted, with the expected periods from the test's own model. */
export interface Expected {
  id: string;
  email: string;
  frequency: Frequency;
  timezone: string;
  anchor: string;
  /** Index of the next period when billing stopped. */
  from: number;
  /** Starts of the begun periods from `from` on, then of the first one that has not begun, in milliseconds. */
  starts: number[];
  card: boolean;
}

export interface Population {
  /** Without a card, billed from the first period. */
  plain: number;
  /** With a saved card, billed from the first period. */
  charged: number;
  months: number;
  /** Active daily subscriptions that were not billed for `days` days; one in five has a card. */
  down: number;
  days: number;
}

const zoneNames = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo", "UTC"];
/** Mostly monthly; the others test their arithmetic. */
const mix: Frequency[] = [
  ...Array.from({ length: 12 }, () => "monthly" as const),
  ...(["quarterly", "semiannual", "yearly"] as const),
];
const amounts: Record<Frequency, number> = {
  daily: 500,
  weekly: 700,
  monthly: 1500,
  quarterly: 4000,
  semiannual: 7500,
  yearly: 14000,
};

/**
 * Inserts packages, subscriptions and sandbox cards in bulk. No period begins within the next hour, so that the
 * expected periods do not change during the test.
 */
export async function populate(businessId: number, population: Population): Promise<Expected[]> {
  const next = random();
  const now = Date.now();
  const today = Math.floor(now / 86_400_000);
  const zones = zoneNames.map((name) => readZone(name, (today - 1_500) * 86_400, (today + 800) * 86_400));
  const pick = <T>(items: readonly T[]) => items[between(next, 0, items.length - 1)] as T;
  const make = (frequency: Frequency, firstDay: number, from: number, card: boolean): Expected => {
    for (;;) {
      const zone = pick(zones);
      // Midnight comes from a package's start date, other times from the moment of subscribing.
      const time = next() < 0.3 ? 0 : between(next, 0, 86_399);
      const starts = startsOf(zone, firstDay, time, frequency, from, now);
      const last = starts.at(-1) ?? 0;
      if (last < now + 3_600_000 || starts.length < 2) continue;
      const id = newId("sub");
      const anchor = anchorOf(firstDay, time);
      const email = `${id.slice(-12)}@example.com`;
      return { id, email, frequency, timezone: zone.name, anchor, from, starts, card };
    }
  };
  const [year, month] = dayOf(today);
  const first = dayNumber([year, month, 1]) - Math.round(population.months * 30.437);
  const all = [
    ...Array.from({ length: population.plain }, () => make(pick(mix), first + between(next, 0, 30), 0, false)),
    ...Array.from({ length: population.charged }, () => make("monthly", first + between(next, 0, 30), 0, true)),
    ...Array.from({ length: population.down }, (_, i) => {
      const age = between(next, population.days + 1, population.days + 400);
      return make("daily", today - age, age - population.days, i % 5 === 0);
    }),
  ];
  await insert(businessId, all);
  return all;
}

function startsOf(zone: Zone, firstDay: number, time: number, frequency: Frequency, from: number, now: number) {
  const first = dayOf(firstDay);
  const starts: number[] = [];
  for (let n = from; (starts.at(-1) ?? 0) <= now; n++)
    starts.push(instantOf(zone, nthDay(first, frequency, n), time) * 1000);
  return starts;
}

async function insert(businessId: number, all: Expected[]): Promise<void> {
  const packages = new Map<Frequency, string>();
  for (const frequency of new Set(all.map((one) => one.frequency))) {
    const id = newId("pkg");
    packages.set(frequency, id);
    await db.$executeRaw`
      INSERT INTO package (id, business_id, livemode, name, amount_cents, frequency, currency)
      VALUES (${id}, ${businessId}, false, ${`Every day's, ${frequency}`}, ${amounts[frequency]}, ${frequency}, 'EUR')`;
  }
  const cards = all.filter(({ card }) => card);
  await db.$executeRaw`
    WITH card AS (SELECT email, 'r8_' || email AS ref FROM unnest(${cards.map(({ email }) => email)}::text[]) AS email
    ), kept AS (
      INSERT INTO sandbox_card (ref, account, gateway_key, behaviour, brand, last4, exp_month, exp_year)
      SELECT ref, ${String(businessId)}, ref, 'succeed', 'visa', '4242', 12, 2098 FROM card
    )
    INSERT INTO tokenization (id, business_id, livemode, email, title, description, token, status, expires_at,
                              activated_at, gateway, gateway_card, card_brand, card_last4, card_exp_month, card_exp_year)
    SELECT 'tkn_' || ref, ${businessId}, false, email, 'Card', 'Card', ref, 'active', now(), now(), 'sandbox', ref,
           'visa', '4242', 12, 2098 FROM card`;
  // In one statement at the end, because the workers start with it.
  await db.$executeRaw`
    INSERT INTO subscription (id, business_id, livemode, package_id, email, status, anchor, timezone, next_period, next_charge_at)
    SELECT id, ${businessId}, false, package, email, CASE WHEN next_period > 0 THEN 'active' ELSE 'created' END, anchor,
           timezone, next_period, next_charge_at
      FROM unnest(${all.map(({ id }) => id)}::text[], ${all.map(({ email }) => email)}::text[],
                  ${all.map(({ frequency }) => packages.get(frequency) ?? "")}::text[],
                  ${all.map(({ anchor }) => anchor)}::text[], ${all.map(({ timezone }) => timezone)}::text[],
                  ${all.map(({ from }) => from)}::int[],
                  ${all.map(({ starts }) => new Date(starts[0] ?? 0))}::timestamptz[])
             AS s (id, email, package, anchor, timezone, next_period, next_charge_at)`;
}

interface LinkRow {
  subscription_id: string;
  period_index: number;
  starts: number;
  ends: number;
  amount_cents: number;
  status: string;
}

function grouped<Key>(rows: LinkRow[], keyOf: (row: LinkRow) => Key): Map<Key, LinkRow[]> {
  const groups = new Map<Key, LinkRow[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

/**
 * Compares every link with the model: one for each begun period, with its index and amount, paid if there is a card.
 */
export async function judgePeriods(businessId: number, all: Expected[]): Promise<Record<string, number>> {
  const { rows } = await pool().query<LinkRow>(
    `SELECT subscription_id, period_index, extract(epoch FROM period_start)::float8 * 1000 AS starts,
            extract(epoch FROM period_end)::float8 * 1000 AS ends, amount_cents, status
       FROM payment_link WHERE business_id = $1 AND deleted_at IS NULL ORDER BY subscription_id, period_index`,
    [businessId],
  );
  const links = grouped(rows, (row) => row.subscription_id);
  const { rows: rowsNow } = await pool().query<{ id: string; next_period: number; next: number | null }>(
    `SELECT id, next_period, extract(epoch FROM next_charge_at)::float8 * 1000 AS next FROM subscription WHERE business_id = $1`,
    [businessId],
  );
  const states = new Map(rowsNow.map((row) => [row.id, row]));
  let [missing, twice, misplaced, amount, unpaid, lost] = [0, 0, 0, 0, 0, 0];
  for (const { id, from, starts, frequency, card } of all) {
    const begun = starts.length - 1;
    const found = grouped(links.get(id) ?? [], (row) => row.period_index - from);
    for (let n = 0; n < begun; n++) if (!found.has(n)) missing++;
    for (const [n, [link, ...more]] of found) {
      twice += more.length + (n >= 0 && n < begun ? 0 : 1);
      if (link && (link.starts !== starts[n] || link.ends !== starts[n + 1])) misplaced++;
      if (link && link.amount_cents !== amounts[frequency]) amount++;
      if (card && link?.status !== "Paid") unpaid++;
    }
    const state = states.get(id);
    if (state?.next_period !== from + begun || (card && state.next !== starts[begun])) lost++;
  }
  return {
    "links missing": missing,
    "links too many": twice,
    "links with wrong dates": misplaced,
    "links with wrong amounts": amount,
    "never charged": unpaid,
    "subscriptions in a wrong state": lost,
  };
}
