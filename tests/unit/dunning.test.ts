import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { declineReasons } from "@/lib/gateways/reasons";
import { type AfterFailure, afterFailure, type DunningPolicy, isHard, nextStep } from "@/lib/periods/dunning";

const day = 86_400_000;
const hour = 3_600_000;
const usual: DunningPolicy = { days: [2, 7, 14, 21], end: "unpaid" };
const never: DunningPolicy = { days: [], end: "cancel" };
const failedAt = new Date("2026-11-21T09:30:00Z");
const later = (days: number) => new Date(failedAt.getTime() + days * day);
const untried = { attempt_count: 0, failed_at: null, technical_count: 0, next_step_at: null };
const failed = (attempt_count: number) => ({ ...untried, attempt_count, failed_at: failedAt });

const reasons = Object.keys(declineReasons);
const hard = reasons.filter(isHard);
const technical = ["processing_error", "gateway_refused"];
const soft = reasons.filter((reason) => !isHard(reason) && !technical.includes(reason));

const policy: fc.Arbitrary<DunningPolicy> = fc.record({
  days: fc.uniqueArray(fc.integer({ min: 1, max: 365 }), { maxLength: 10 }).map((days) => days.sort((a, b) => a - b)),
  end: fc.constantFrom("unpaid", "cancel"),
});
/** How long ago the first failure was, in milliseconds. */
const ago = fc.nat(400 * day);

describe("a soft decline", () => {
  it("is retried on each dunning day after the first failure, then dunning ends", () => {
    let link = afterFailure(usual, untried, "insufficient_funds", failedAt);
    for (const days of usual.days) {
      expect(link).toMatchObject({ failed_at: failedAt, next_step_at: later(days), exhausted: false });
      link = afterFailure(usual, { ...link, technical_count: 0 }, "insufficient_funds", later(days));
    }
    expect(link).toEqual({
      attempt_count: 5,
      failed_at: failedAt,
      failure: "insufficient_funds",
      next_step_at: null,
      countsAsFailure: true,
      exhausted: true,
    });
  });

  it("does not make up for missed days", () => {
    expect(afterFailure(usual, failed(1), "insufficient_funds", later(8)).next_step_at).toEqual(later(14));
    expect(afterFailure(usual, failed(1), "insufficient_funds", later(30)).exhausted).toBe(true);
  });

  it("continues on the next dunning day of any policy", () => {
    fc.assert(
      fc.property(policy, ago, fc.nat(10), fc.constantFrom(...soft), (of, since, tries, reason) => {
        const now = new Date(failedAt.getTime() + since);
        const after = afterFailure(of, failed(tries), reason, now);
        const ahead = of.days.filter((days) => days * day > since);
        expect(after).toEqual({
          attempt_count: tries + 1,
          failed_at: failedAt,
          failure: reason,
          next_step_at: ahead[0] === undefined ? null : later(ahead[0]),
          countsAsFailure: true,
          exhausted: ahead.length === 0,
        });
        expect(nextStep(of, failedAt, now)).toEqual(after.next_step_at);
      }),
    );
  });
});

describe("a hard decline", () => {
  it("has the same days as a soft one", () => {
    expect(hard.length).toBeGreaterThan(0);
    for (const reason of hard)
      for (const [tries, days] of [0, 2, 7, 14, 21, 22].entries()) {
        const link = tries === 0 ? untried : failed(tries);
        const { failure, ...after } = afterFailure(usual, link, reason, later(days));
        const { failure: _, ...afterSoft } = afterFailure(usual, link, "insufficient_funds", later(days));
        expect([failure, after]).toEqual([reason, afterSoft]);
      }
  });
});

describe("a gateway error", () => {
  it("is retried four times within the hour without counting, then counts as a failure", () => {
    let link: Pick<AfterFailure, "attempt_count" | "failed_at"> = untried;
    let now = failedAt;
    for (let tries = 1; tries < 5; tries++, now = new Date(now.getTime() + hour)) {
      link = afterFailure(usual, { ...link, technical_count: tries, next_step_at: now }, "processing_error", now);
      const next_step_at = new Date(now.getTime() + hour);
      expect(link).toEqual({
        attempt_count: tries,
        failed_at: null,
        failure: "processing_error",
        next_step_at,
        countsAsFailure: false,
        exhausted: false,
      });
    }
    const next_step_at = new Date(now.getTime() + 2 * day);
    expect(
      afterFailure(usual, { ...link, technical_count: 5, next_step_at: now }, "processing_error", now),
    ).toMatchObject({
      failed_at: now,
      next_step_at,
      exhausted: false,
    });
  });

  it("keeps the step that was planned already, after a charge by staff", () => {
    const planned = { ...failed(1), technical_count: 1, next_step_at: later(7) };
    for (const reason of technical)
      expect(afterFailure(usual, planned, reason, later(3))).toMatchObject({
        next_step_at: later(7),
        countsAsFailure: false,
        exhausted: false,
      });
  });

  it("is retried four times on the last dunning day too, however many charges there were", () => {
    const last = later(21);
    for (const technical_count of [1, 2, 3, 4, 6, 7, 8, 9])
      for (const reason of technical)
        expect(afterFailure(usual, { ...failed(11), technical_count }, reason, last)).toMatchObject({
          ...{ attempt_count: 12, failed_at: failedAt, failure: reason, exhausted: false },
          next_step_at: new Date(last.getTime() + hour),
        });
    for (const technical_count of [5, 10])
      expect(afterFailure(usual, { ...failed(11), technical_count }, "gateway_refused", last).exhausted).toBe(true);
  });
});

describe("without any dunning days", () => {
  it("the first decline ends dunning, a gateway error does not", () => {
    for (const reason of [...hard, ...soft])
      expect(afterFailure(never, untried, reason, failedAt)).toMatchObject({ next_step_at: null, exhausted: true });
    for (const reason of technical)
      expect(afterFailure(never, { ...untried, technical_count: 1 }, reason, failedAt).exhausted).toBe(false);
    expect(nextStep(never, failedAt, failedAt)).toBeNull();
  });
});

describe("whatever fails, and whenever", () => {
  it("the next step is ahead or the steps are exhausted; the first failure stays what it was", () => {
    fc.assert(
      fc.property(
        policy,
        ago,
        fc.nat(10),
        fc.boolean(),
        fc.constantFrom(...reasons),
        fc.nat(12),
        (of, since, tries, fresh, reason, technical_count) => {
          const now = new Date(failedAt.getTime() + since);
          const link = {
            attempt_count: tries,
            failed_at: fresh ? null : failedAt,
            technical_count,
            next_step_at: null,
          };
          const after = afterFailure(of, link, reason, now);
          expect(after.attempt_count).toBe(tries + 1);
          expect(after.exhausted).toBe(after.next_step_at === null);
          if (after.next_step_at) expect(after.next_step_at.getTime()).toBeGreaterThan(now.getTime());
          if (!fresh) expect(after.failed_at).toEqual(failedAt);
          else if (after.failed_at) expect(after.failed_at).toEqual(now);
        },
      ),
    );
  });
});

describe("isHard", () => {
  it("is true only for known reasons", () => {
    for (const reason of [null, "no_card", "anything", "toString"]) expect(isHard(reason)).toBe(false);
    expect(isHard("insufficient_funds")).toBe(false);
  });
});
