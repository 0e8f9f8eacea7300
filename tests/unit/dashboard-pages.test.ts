import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { known, routes } from "@/tests/bench/pages-list";

const folder = join(import.meta.dirname, "../../app/(dashboard)");
const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
  /(^|\/)page\.tsx$/.test(path),
);

test("dashboard pages exist", () => expect(pages.length).toBeGreaterThan(0));

// The layout shows what a page renders, session or not; so no page may render without asking for one. After the sign-in one is
// back at the very address, with its filters.
test.each(pages)("%s requires a session, and names the page to return to", (path) => {
  expect(readFileSync(join(folder, path), "utf8")).toMatch(/await requireSession\(\s*await addressOf\(/);
});

// npm run bench -- pages: how soon each of them can be used.
test("every page is in the budget list, and no other", () => expect(Object.keys(known)).toEqual(routes()));
