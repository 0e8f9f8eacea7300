import { runDueUntil } from "@/lib/billing/test-clock";
import { clock } from "@/lib/core/clock";
import { db, execute, Prisma } from "@/lib/core/db";
import { periodStart, wallTime } from "@/lib/periods/calendar";

const minute = 60_000;
const day = 1_440 * minute;

/**
 * Simulates the past of a business's test mode: planned steps, and everything that falls due between them. Services and
 * row timestamps use the simulated time.
 */
export class History {
  readonly now = clock.now();
  readonly #businessId: number;
  readonly #timezone: string;
  readonly #steps: { at: Date; work: () => Promise<unknown> }[] = [];

  constructor(business: { id: number; timezone: string }) {
    this.#businessId = business.id;
    this.#timezone = business.timezone;
  }

  minutesAgo(minutes: number): Date {
    return new Date(this.now.getTime() - minutes * minute);
  }

  hoursAgo(hours: number): Date {
    return this.minutesAgo(hours * 60);
  }

  /**
   * A time of day (HH:MM) in the business's time zone, `days` before today and then `months` earlier, clamped to the
   * month.
   */
  daysAgo(days: number, time: string, months = 0): Date {
    const today = wallTime(this.now, this.#timezone).slice(0, 10);
    const before = new Date(Date.parse(today) - days * day);
    const then = new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth() - months + 1, 0));
    then.setUTCDate(Math.min(before.getUTCDate(), then.getUTCDate()));
    const anchor = `${then.toISOString().slice(0, 10)}T${time}:00`;
    return periodStart({ anchor, timezone: this.#timezone, frequency: "daily" }, 0);
  }

  at(time: Date, work: () => Promise<unknown>): void {
    if (time <= this.now) this.#steps.push({ at: time, work });
  }

  async play(): Promise<void> {
    const steps = this.#steps.toSorted((a, b) => a.at.getTime() - b.at.getTime());
    let reached = steps[0]?.at ?? this.now;
    for (const { at, work } of [...steps, { at: this.now, work: async () => undefined }]) {
      await runDueUntil({ businessId: this.#businessId, from: reached, to: at, onTimeReached: stampRows });
      await this.during(at, work);
      reached = at;
    }
    await stampRows(null);
  }

  /** Runs `work` at a simulated time, without other due work before it. */
  async during<T>(time: Date, work: () => Promise<T>): Promise<T> {
    await stampRows(time);
    return clock.at(time, work);
  }
}

/** Sets the timestamp of rows that this transaction writes from now on; null restores the database's clock. */
async function stampRows(time: Date | null): Promise<void> {
  await execute(db, Prisma.sql`SELECT set_config('paydesk.row_time', ${time?.toISOString() ?? ""}, true)`);
}
