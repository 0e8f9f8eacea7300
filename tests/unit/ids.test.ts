import { expect, it } from "vitest";
import { isId, newId } from "@/lib/core/id";

it("makes ids that are unique, recognisable and sorted by creation time", async () => {
  const made: string[] = [];
  for (let i = 0; i < 50; i++) {
    made.push(newId("pl"));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  expect(new Set(made).size).toBe(50);
  expect([...made].sort()).toEqual(made);
  for (const id of made) expect(isId("pl", id) && !isId("sub", id)).toBe(true);
});

it.each(["", "pl_", "pl_1", `pl_${"i".repeat(36)}`, `pl_${"A".repeat(36)}`, `pl_${"0".repeat(37)}`])(
  "refuses %j",
  (value) => expect(isId("pl", value)).toBe(false),
);
