import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noPages, pages } from "@/tests/support/pages";

const files = readdirSync(join(import.meta.dirname, "../../app"), { recursive: true, encoding: "utf8" });
const documents = files.filter((path) => /(^|\/)page\.tsx$|^(?!api\/).*route\.tsx?$/.test(path));

test("every page and every public document is in the list of the page tests", () => {
  const listed = new Set([...pages.map(({ file }) => file), ...noPages]);
  expect(documents.length).toBeGreaterThan(30);
  expect(documents.filter((file) => !listed.has(file))).toEqual([]);
});

test("the list has no missing pages and no duplicate names", () => {
  const known = new Set([...documents, "not-found.tsx"]);
  expect([...pages.map(({ file }) => file), ...noPages].filter((file) => !known.has(file))).toEqual([]);
  expect(new Set(pages.map(({ name }) => name)).size).toBe(pages.length);
});

test("each list's empty state is in the list too", () => {
  const lists = pages.filter(({ file }) => /^\(dashboard\)\/[^[]*page\.tsx$/.test(file));
  const empty = new Set(lists.filter(({ who }) => who === "empty").map(({ file }) => file));
  const withoutRows = ["payment-links/import", "developers/reference", "account"];
  const expected = new Set(
    lists.map(({ file }) => file).filter((file) => !withoutRows.some((one) => file.includes(one))),
  );
  expect([...expected].filter((file) => !empty.has(file))).toEqual([]);
});
