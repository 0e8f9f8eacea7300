import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Frequency, firstAnchor, periodFrom, periodStart, type Schedule, wallTime } from "@/lib/periods/calendar";

const zones = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo", "Asia/Kathmandu"];
const frequencies: Frequency[] = ["daily", "weekly", "monthly", "quarterly", "semiannual", "yearly"];

/** An instant to the second, as a subscription begins at one. */
const instant = fc
  .integer({ min: Date.UTC(2024, 0) / 1000, max: Date.UTC(2033, 0) / 1000 })
  .map((seconds) => new Date(seconds * 1000));
const zone = fc.constantFrom(...zones);
const schedule: fc.Arbitrary<Schedule> = fc
  .tuple(instant, zone, fc.constantFrom(...frequencies))
  .map(([at, timezone, frequency]) => ({ anchor: wallTime(at, timezone), timezone, frequency }));

const starts = (anchor: string, timezone: string, frequency: Frequency, count: number) =>
  Array.from({ length: count }, (_, n) => wallTime(periodStart({ anchor, timezone, frequency }, n), timezone));

describe("period starts", () => {
  it("fall on the last day of each month for an anchor on the 31st", () => {
    expect(starts("2026-01-31T00:00:00", "Europe/Berlin", "monthly", 4)).toEqual([
      "2026-01-31T00:00:00",
      "2026-02-28T00:00:00",
      "2026-03-31T00:00:00",
      "2026-04-30T00:00:00",
    ]);
    expect(starts("2025-11-30T00:00:00", "UTC", "quarterly", 3)).toEqual([
      "2025-11-30T00:00:00",
      "2026-02-28T00:00:00",
      "2026-05-30T00:00:00",
    ]);
    expect(starts("2025-08-31T00:00:00", "UTC", "semiannual", 2)[1]).toBe("2026-02-28T00:00:00");
  });

  it("return to 29 February in every leap year", () => {
    expect(starts("2024-02-29T09:00:00", "Europe/Berlin", "yearly", 5)).toEqual([
      "2024-02-29T09:00:00",
      "2025-02-28T09:00:00",
      "2026-02-28T09:00:00",
      "2027-02-28T09:00:00",
      "2028-02-29T09:00:00",
    ]);
  });

  it("keep their time of day over daylight saving changes", () => {
    const [before, after] = [0, 1].map((n) =>
      periodStart({ anchor: "2026-03-25T08:00:00", timezone: "Europe/Berlin", frequency: "weekly" }, n).toISOString(),
    );
    expect([before, after]).toEqual(["2026-03-25T07:00:00.000Z", "2026-04-01T06:00:00.000Z"]);
  });

  it.each([
    ["2026-03-28T02:30:00", "Europe/Berlin", "2026-03-29T01:30:00.000Z", "03:30:00"],
    ["2026-03-07T02:30:00", "America/New_York", "2026-03-08T07:30:00.000Z", "03:30:00"],
    ["2026-10-03T02:15:00", "Australia/Lord_Howe", "2026-10-03T15:45:00.000Z", "02:45:00"],
    ["2026-04-23T00:00:00", "Africa/Cairo", "2026-04-23T22:00:00.000Z", "01:00:00"],
  ])("move forward at a skipped time: the day after %s in %s", (anchor, timezone, instant, time) => {
    const start = periodStart({ anchor, timezone, frequency: "daily" }, 1);
    expect([start.toISOString(), wallTime(start, timezone).slice(11)]).toEqual([instant, time]);
    // And only that once.
    expect(starts(anchor, timezone, "daily", 3)[2]?.slice(11)).toBe(anchor.slice(11));
  });

  it.each([
    ["2026-10-24T02:30:00", "Europe/Berlin", "2026-10-25T00:30:00.000Z"],
    ["2026-10-31T01:30:00", "America/New_York", "2026-11-01T05:30:00.000Z"],
    ["2026-04-04T01:45:00", "Australia/Lord_Howe", "2026-04-04T14:45:00.000Z"],
    ["2026-10-24T01:30:00", "Antarctica/Troll", "2026-10-24T23:30:00.000Z"],
  ])("use the first of a repeated time: the day after %s in %s", (anchor, timezone, instant) => {
    expect(periodStart({ anchor, timezone, frequency: "daily" }, 1).toISOString()).toBe(instant);
  });

  it("increase, and keep the anchor's day and time", () => {
    fc.assert(
      fc.property(schedule, fc.nat(400), (of, n) => {
        const [start, next] = [periodStart(of, n), periodStart(of, n + 1)];
        expect(next.getTime()).toBeGreaterThan(start.getTime());
        const [day, nextDay] = [start, next].map((at) => Date.parse(wallTime(at, of.timezone).slice(0, 10)));
        const days = ((nextDay ?? Number.NaN) - (day ?? Number.NaN)) / 86_400_000;
        const [least, most] = {
          daily: [1, 1],
          weekly: [7, 7],
          monthly: [28, 31],
          quarterly: [89, 92],
          semiannual: [181, 184],
          yearly: [365, 366],
        }[of.frequency] as [number, number];
        expect(days).toBeGreaterThanOrEqual(least);
        expect(days).toBeLessThanOrEqual(most);
      }),
    );
  });

  it("are refused for an invalid anchor and before the first period", () => {
    const of = { anchor: "2026-01-31T00:00:00", timezone: "UTC", frequency: "monthly" } as const;
    for (const n of [-1, 0.5, Number.NaN]) expect(() => periodStart(of, n)).toThrow(RangeError);
    for (const anchor of ["", "2026-01-31", "2026-01-31T00:00:00Z", "2026-1-31T00:00:00"])
      expect(() => periodStart({ ...of, anchor }, 0)).toThrow(RangeError);
  });
});

describe("wallTime", () => {
  it("is the inverse of the first period's start, except in a repeated hour", () => {
    fc.assert(
      fc.property(instant, zone, fc.constantFrom(...frequencies), (at, timezone, frequency) => {
        const anchor = wallTime(at, timezone);
        const start = periodStart({ anchor, timezone, frequency }, 0);
        expect(wallTime(start, timezone)).toBe(anchor);
        const later = (at.getTime() - start.getTime()) / 60_000;
        expect([0, 30, 60]).toContain(later);
      }),
    );
  });

  it("drops fractions of a second", () => {
    expect(wallTime(new Date("2026-03-29T01:00:00.999Z"), "Europe/Berlin")).toBe("2026-03-29T03:00:00");
  });
});

describe("periodFrom", () => {
  it("agrees with a linear search", () => {
    fc.assert(
      fc.property(schedule, fc.nat(60), fc.integer({ min: -90, max: 400 }), (of, from, days) => {
        const at = new Date(periodStart(of, from).getTime() + days * 86_400_000);
        let wanted = from;
        while (periodStart(of, wanted) < at) wanted++;
        expect(periodFrom(of, at, from)).toBe(wanted);
      }),
    );
  });

  it("is the period that starts at the instant, and the next one a millisecond later", () => {
    fc.assert(
      fc.property(schedule, fc.nat(20), fc.nat(60), (of, from, more) => {
        const at = periodStart(of, from + more);
        expect(periodFrom(of, at, from)).toBe(from + more);
        expect(periodFrom(of, new Date(at.getTime() + 1), from)).toBe(from + more + 1);
      }),
    );
  });
});

it("a new subscription begins on its package's day of the first charge, or now if that has come", () => {
  const now = new Date("2027-01-30T22:59:59.900Z"); // 23:59:59 in Berlin
  expect(firstAnchor("2027-01-31", now, "Europe/Berlin")).toBe("2027-01-31T00:00:00");
  expect(firstAnchor("2027-01-30", now, "Europe/Berlin")).toBe("2027-01-30T23:59:59");
  expect(firstAnchor("2027-01-31", now, "Asia/Tokyo")).toBe("2027-01-31T07:59:59");
  expect(firstAnchor(null, now, "Europe/Berlin")).toBe("2027-01-30T23:59:59");
});
