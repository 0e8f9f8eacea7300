import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { permissions, roles } from "@/lib/auth/scopes";
import en from "@/messages/en";

test("docs/people.md shows the roles as in the code", () => {
  const lines = Object.entries(permissions).map(
    ([resource, row]) => `| ${[resource, ...roles.map((role) => row[role] ?? "–")].join(" | ")} |`,
  );
  const table = [`| | ${roles.join(" | ")} |`, "|---|---|---|---|---|---|", ...lines].join("\n");
  expect(readFileSync("docs/people.md", "utf8")).toContain(table);
});

/** What the dashboard calls what not everybody may read. */
const names: Record<string, string> = {
  api_keys: "keys",
  gateway_accounts: "gateway account",
  requests: "requests",
  audit_log: "audit log",
};

test("a role's description in the invitation form names everything that it may not read", () => {
  for (const role of roles) {
    const hidden = Object.entries(permissions).filter(([, row]) => row[role] === null);
    for (const [resource] of hidden.filter(
      ([resource]) => resource !== "manual_payments" && resource !== "annotations",
    )) // nothing to read
      expect(en.team.roles[role].description, role).toContain(names[resource]);
  }
});
