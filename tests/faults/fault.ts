import { appendFileSync, mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { errorsLogged, type Mutation, mutated } from "./rig";

/** Whether faults run at full numbers with negative controls (npm run test:faults) or small (npm test). */
export const full = process.env.FAULTS === "full";

export interface Outcome {
  /** What was done, in numbers: "1,000 charges, 50 kills". */
  done: string;
  /** Counts of violations; all must be 0. */
  wrong: Record<string, number>;
}

interface Fault {
  /** The number in docs/faults.md. */
  id: string;
  title: string;
  /** Time limit at full numbers, in minutes. */
  minutes: number;
  /** Runs the product under the fault: no violation is allowed. */
  run: () => Promise<Outcome>;
  /**
   * Runs the product without its protection, as mutations of its sources, under the same fault: the judge must find a violation.
   * `finds`: the kinds of which it must find some, one for each protection that is taken away.
   */
  control: {
    without: string;
    mutations?: Mutation[];
    finds?: string[];
    run: (mutations: Mutation[]) => Promise<Outcome>;
  };
}

/**
 * Declares a fault's test. At full numbers its negative control follows: it proves that the judge detects the missing
 * protection. Writes one line about both to dist/faults.log.
 */
export function fault({ id, title, minutes, run, control }: Fault): void {
  const { mutations = [], finds = [] } = control;
  describe(`${id} ${title}`, () => {
    let line = id;
    it(
      "keeps every guarantee",
      async () => {
        const begun = Date.now();
        const { done, wrong } = await run();
        line = `${id.padEnd(4)}${title}: ${done}: ${countsOf(wrong)} (${Math.round((Date.now() - begun) / 1000)} s)`;
        expect(total(wrong), [line, ...errorsLogged].join("\n")).toBe(0);
      },
      minutes * 60_000,
    );
    if (mutations.length > 0) it("has a control that fits the sources", () => void mutated(mutations));
    if (!full) return;
    it(
      `finds violations without ${control.without}`,
      async () => {
        const { wrong } = await control.run(mutations);
        mkdirSync("dist", { recursive: true });
        appendFileSync("dist/faults.log", `${line}; control without ${control.without}: ${countsOf(wrong)}\n`);
        expect(total(wrong), `control: ${countsOf(wrong)}`).toBeGreaterThan(0);
        expect(
          finds.filter((what) => !wrong[what]),
          `not found by the control: ${countsOf(wrong)}`,
        ).toEqual([]);
      },
      minutes * 60_000,
    );
  });
}

const total = (wrong: Record<string, number>): number => Object.values(wrong).reduce((sum, count) => sum + count, 0);

const countsOf = (wrong: Record<string, number>): string =>
  Object.entries(wrong)
    .map(([what, count]) => `${count.toLocaleString("en")} ${what}`)
    .join(", ");
