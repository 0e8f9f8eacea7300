import { appendFileSync, mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { errorsLogged } from "./rig";

/** Whether the faults run at their full numbers and with their negative controls (npm run test:faults), or small (npm test). */
export const full = process.env.FAULTS === "full";

export interface Outcome {
  /** What was done, in numbers: "1,000 charges, 50 kills". */
  done: string;
  /** What went wrong, in numbers that must all be 0. */
  wrong: Record<string, number>;
}

interface Fault {
  /** As docs/faults.md numbers it. */
  id: string;
  /** What is to happen to the product. */
  title: string;
  /** Minutes that the full numbers may take. */
  minutes: number;
  /** The product under the fault: nothing may be wrong. */
  run: () => Promise<Outcome>;
  /** The product without its protection, under the same fault and the same judge: something must be wrong. */
  control: { without: string; run: () => Promise<Outcome> };
}

/**
 * Declares a fault's test. At the full numbers its negative control follows, which proves that the judge finds something
 * where the protection is missing, and one line about both goes to dist/faults.log.
 */
export function fault({ id, title, minutes, run, control }: Fault): void {
  describe(`${id} ${title}`, () => {
    let line = id;
    it(
      "keeps every guarantee",
      async () => {
        const begun = Date.now();
        const { done, wrong } = await run();
        line = `${id.padEnd(4)}${title}: ${done}: ${words(wrong)} (${Math.round((Date.now() - begun) / 1000)} s)`;
        expect(total(wrong), [line, ...errorsLogged].join("\n")).toBe(0);
      },
      minutes * 60_000,
    );
    if (!full) return;
    it(
      `finds violations without ${control.without}`,
      async () => {
        const { wrong } = await control.run();
        mkdirSync("dist", { recursive: true });
        appendFileSync("dist/faults.log", `${line}; control without ${control.without}: ${words(wrong)}\n`);
        expect(total(wrong), `control: ${words(wrong)}`).toBeGreaterThan(0);
      },
      minutes * 60_000,
    );
  });
}

const total = (wrong: Record<string, number>): number => Object.values(wrong).reduce((sum, count) => sum + count, 0);

const words = (wrong: Record<string, number>): string =>
  Object.entries(wrong)
    .map(([what, count]) => `${count.toLocaleString("en")} ${what}`)
    .join(", ");
