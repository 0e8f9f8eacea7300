import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, expect, it } from "vitest";
import { migrate } from "@/server/migrate";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";

const before = mkdtempSync(join(tmpdir(), "paydesk-migrations-"));
afterAll(() => rmSync(before, { recursive: true }));

it("the migration knows ends by their events, leaves what it cannot know, and counts what lists show", async () => {
  const url = ownerUrl(await createDatabase({ empty: true }));
  cpSync("prisma/migrations", before, { recursive: true });
  for (const name of readdirSync(before))
    if (/^\d/.test(name) && name >= "20261126180000") rmSync(join(before, name), { recursive: true });
  await migrate(url, before);
  const client = new Client({ connectionString: url });
  await client.connect();
  const rows = async (sql: string) => (await client.query(sql)).rows;

  let events = 0;
  const event = (id: string, day: number, type: string, actor = "system") => `
    INSERT INTO event (id, business_id, livemode, type, resource_id, sequence, subscription_id, data, actor_type, created_at)
    VALUES ('evt_${id}_${++events}', 7, true, 'subscription.${type}', '${id}', ${events}, '${id}', '{}', '${actor}', '2026-03-${day}Z');`;
  const subscription = (id: string, status: string, { paid = true, deleted = false, atEnd = false } = {}) => `
    INSERT INTO subscription (id, business_id, livemode, package_id, email, status, anchor, timezone, amount_cents, updated_at,
                              deleted_at, cancel_at_period_end)
    VALUES ('${id}', 7, true, 'pkg_1', '${id}@example.com', '${status}', '2026-01-31T00:00:00', 'Europe/Berlin', 1500, '2026-03-30Z',
            ${deleted ? "'2026-03-29Z'" : "NULL"}, ${atEnd});
    INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title, subscription_id, period_index, period_start,
                              period_end, status, paid_at)
    VALUES ('pl_${id}', 7, true, '${id}@example.com', 'EUR', 1500, 'Reading club', '${id}', 0, '2026-02-01Z', '2026-03-01Z',
            ${paid ? "'Paid', '2026-02-01Z'" : "'Inactive', NULL"});`;
  await client.query(`
    INSERT INTO business (id, name) VALUES (7, 'Bookshop');
    INSERT INTO package (id, business_id, livemode, name, amount_cents, currency, frequency)
      VALUES ('pkg_1', 7, true, 'Reading club', 1500, 'EUR', 'monthly');
    ${subscription("by_staff", "cancel")} ${event("by_staff", 10, "canceled", "user")}
    ${subscription("by_key", "cancel", { atEnd: true })} ${event("by_key", 11, "canceled", "api_key")}
    ${subscription("owing", "cancel", { atEnd: true })} ${event("owing", 12, "canceled")}
    ${subscription("done", "completed")} ${event("done", 13, "completed")}
    ${subscription("never_began", "cancel", { paid: false })} ${event("never_began", 14, "canceled")}
    ${subscription("twice", "cancel")} ${event("twice", 15, "unpaid")} ${event("twice", 16, "recovered")}
    ${event("twice", 17, "unpaid")} ${event("twice", 18, "canceled", "user")}
    ${subscription("without_event", "unpaid")}
    ${subscription("deleted", "cancel", { deleted: true })} ${event("deleted", 19, "canceled", "user")}
    ${subscription("deleted_active", "active", { deleted: true })}
    ${subscription("paused", "paused")} ${subscription("active", "active")} ${event("active", 20, "unpaid")}
    -- As the sums before counted them, in part by the job.
    INSERT INTO settled_change (business_id, livemode, settled_at, cents, count, currency, kind)
      VALUES (7, true, '2026-03-01Z', 0, 1, 'EUR', 'started'), (7, true, '2026-03-30Z', 0, 1, 'EUR', 'ended'),
             (7, true, '2026-03-30Z', 1500, 1, 'EUR', 'collected');
    INSERT INTO settled_sum (business_id, livemode, minutes, starts_at, currency, collected_cents, collected_count, refunded_cents,
                             refunded_count, failed_cents, failed_count, fee_cents, fee_count, started_count, ended_count)
      VALUES (7, true, 60, '2026-03-10T00:00Z', 'EUR', 1500, 1, 0, 0, 0, 0, 0, 0, 5, 4)`);
  expect(await migrate(url)).toEqual(expect.arrayContaining(["20261126180000_subscription_ends"]));

  const day = (n: number) => new Date(`2026-03-${n}Z`);
  const ended = (id: string, on: number, ended_reason: string | null, churned = true) => ({
    ...{ id, ended_at: day(on), ended_reason, churned },
    updated_at: day(30),
  });
  const running = (id: string) => ({ id, ended_at: null, ended_reason: null, churned: null, updated_at: day(30) });
  expect(await rows("SELECT id, ended_at, ended_reason, churned, updated_at FROM subscription ORDER BY id")).toEqual([
    running("active"),
    ended("by_key", 11, "canceled_by_api"),
    ended("by_staff", 10, "canceled_by_staff"),
    ended("deleted", 19, "canceled_by_staff"),
    running("deleted_active"),
    ended("done", 13, "period_end"),
    ended("never_began", 14, "unpaid", false),
    ended("owing", 12, "period_end"),
    running("paused"),
    ended("twice", 17, "unpaid"),
    ended("without_event", 30, null),
  ]);
  const counted = (kind: string) =>
    rows(`
      SELECT starts_at AS at, ${kind}_count AS count FROM settled_sum
       WHERE minutes = 60 AND ${kind}_count <> 0 ORDER BY starts_at`);
  expect(await counted("started")).toEqual([{ at: new Date("2026-02-01Z"), count: 10 }]);
  expect(await counted("ended")).toEqual([10, 11, 12, 13, 17, 30].map((n) => ({ at: day(n), count: 1 })));
  expect(await counted("left")).toEqual([19, 29, 30].map((n) => ({ at: day(n), count: 1 })));
  expect(await counted("collected")).toEqual([{ at: day(10), count: 1 }]);
  expect(await rows("SELECT kind FROM settled_change")).toEqual([{ kind: "collected" }]);

  // After the migration, triggers record ends.
  await client.query(
    "UPDATE subscription SET status = 'cancel', ended_reason = 'canceled_by_staff' WHERE id = 'active'",
  );
  expect(
    await rows("SELECT ended_at = updated_at AS at, ended_reason, churned FROM subscription WHERE id = 'active'"),
  ).toEqual([{ at: true, ended_reason: "canceled_by_staff", churned: true }]);
  await expect(client.query("UPDATE subscription SET ended_at = NULL WHERE id = 'active'")).rejects.toThrow(
    "subscription_end",
  );
  await client.end();
});
