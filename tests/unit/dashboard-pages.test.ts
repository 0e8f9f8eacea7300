import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "../../app/(dashboard)");
const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
  /(^|\/)page\.tsx$/.test(path),
);

test("there are dashboard pages", () => expect(pages.length).toBeGreaterThan(0));

// The layout shows what a page renders, session or not; so no page may render without asking for one.
test.each(pages)("%s asks for a session", (path) => {
  expect(readFileSync(join(folder, path), "utf8")).toMatch(/await requireSession\(/);
});
