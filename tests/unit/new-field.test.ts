import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** A field of payment links, with all that a field can have: it is written, read, listed, exported and shown. */
const field = /\binternal_note\b|\binternalNote(Hint)?\b/;

const files = [
  "components/payment-links/form-values.ts",
  "components/payment-links/payment-link-form.tsx",
  "components/payment-links/payment-link-page.tsx",
  "lib/resources/payment-links/contract.ts",
  "lib/resources/payment-links/csv-contract.ts",
  "lib/resources/payment-links/resource.ts",
  "messages/en/payment-links.ts",
  "prisma/migrations/<time>_payment_link_internal_note/migration.sql",
  "prisma/migrations/schema.prisma",
  "prisma/schema/payment-links.prisma",
];

it("a new field of a payment link touches its schema, definition, form, page and texts, and nothing else", () => {
  const all = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"]).toString().split("\n");
  const sources = all.filter((file) => /^(app|components|lib|messages|prisma|scripts|server)\//.test(file));
  const touched = sources.filter((file) => field.test(readFileSync(file, "utf8")));
  expect(touched.map((file) => file.replace(/\/\d{14}_/, "/<time>_")).sort()).toEqual(files);
});

it("AGENTS.md names the same files", () => {
  const [, recipe = ""] = /^## Add a field to a payment link$(.*?)^## /ms.exec(readFileSync("AGENTS.md", "utf8")) ?? [];
  const named = [...recipe.matchAll(/`((?:components|lib|messages|prisma)\/[^`]+)`/g)].map(([, file]) => file);
  expect(named.sort()).toEqual(files);
});
