import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** The values of a property that stand in the source as one literal. */
const literal = (name: string) => new RegExp(`\\b${name}:\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|'((?:[^'\\\\]|\\\\.)*)')`);

/** Each mutation of the negative controls that names its file and its line as literals. */
const mutations = readdirSync("tests/faults")
  .filter((file) => file.endsWith(".test.ts"))
  .flatMap((test) =>
    readFileSync(`tests/faults/${test}`, "utf8")
      .split(/\bfile: /)
      .slice(1)
      .flatMap((part) => {
        const file = /^"([^"]+)"/.exec(part)?.[1];
        const [, double, single] = literal("find").exec(part.slice(0, 800)) ?? [];
        const find = (double ?? single)?.replace(/\\(.)/g, (_, sign: string) => (sign === "n" ? "\n" : sign));
        return file && find ? [{ test, file, find }] : [];
      }),
  );

it("finds the mutations", () => expect(mutations.length).toBeGreaterThan(12));

// npm run test:faults takes an hour: a control whose protection has moved is found out here.
it.each(mutations)("$test takes its protection out of $file, where it stands once: $find", ({ file, find }) => {
  expect(readFileSync(file, "utf8").split(find).length - 1).toBe(1);
});
