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
  expect(readFileSync(join(folder, path), "utf8")).toMatch(/^export default (detailPage|listPage)\(|await openPage\(/m);
});

test("the functions that make pages require a session, and name the page to return to", () => {
  const source = (name: string) => readFileSync(join(folder, name), "utf8");
  expect(source("dashboard-page.tsx")).toMatch(/await requireSession\(await addressOf\(/);
  expect(source("dashboard-page.tsx").match(/^ {4}const \{ role \} = await openPage\(/gm)).toHaveLength(1);
  expect(source("list-page.tsx").match(/^ {4}const \{ role \} = await openPage\(/gm)).toHaveLength(1);
});

// npm run bench -- pages: how soon each of them can be used.
test("every page is in the budget list, and no other", () => expect(Object.keys(known)).toEqual(routes()));
