import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { known, routes } from "@/tests/bench/pages-list";

const folder = join(import.meta.dirname, "../../app/(dashboard)");
const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
  /(^|\/)page\.tsx$/.test(path),
);

test("dashboard pages exist", () => expect(pages.length).toBeGreaterThan(0));

// The layout shows what a page renders, session or not. So each page is made by a function of dashboard-page.tsx, which
// requires a session and names the address to return to after the sign-in.
test.each(pages)("%s requires a session, and names the page to return to", (path) => {
  expect(readFileSync(join(folder, path), "utf8")).toMatch(
    /^export default (dashboardPage|detailPage|listPage)\(|await openPage\(/m,
  );
});

test("the functions that make pages require a session, and name the page to return to", () => {
  const source = readFileSync(join(folder, "dashboard-page.tsx"), "utf8");
  expect(source).toMatch(/await requireSession\(await addressOf\(/);
  expect(source.match(/^export const \w+Page =/gm)).toHaveLength(3);
  expect(source.match(/await openPage\(/g)).toHaveLength(3);
});

// npm run bench -- pages: how soon each of them can be used.
test("every page is in the budget list, and no other", () => expect(Object.keys(known)).toEqual(routes()));
