import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { permissions, roles } from "@/lib/auth/scopes";

test("docs/people.md shows the roles as the code has them", () => {
  const lines = Object.entries(permissions).map(
    ([resource, row]) => `| ${[resource, ...roles.map((role) => row[role] ?? "–")].join(" | ")} |`,
  );
  const table = [`| | ${roles.join(" | ")} |`, "|---|---|---|---|---|---|", ...lines].join("\n");
  expect(readFileSync("docs/people.md", "utf8")).toContain(table);
});
