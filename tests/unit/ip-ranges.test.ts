import { expect, it } from "vitest";
import { scopesWithin } from "@/lib/auth/scopes";
import { coverRanges, isWithin, parseRange } from "@/lib/core/ip-ranges";

it("a range is written in one way", () => {
  expect(["10.1.2.3", "10.1.2.3/8", "2001:DB8:0::1/32", "::1", "0.0.0.0/0"].map(parseRange)).toEqual([
    "10.1.2.3/32",
    "10.0.0.0/8",
    "2001:db8::/32",
    "::1/128",
    "0.0.0.0/0",
  ]);
  for (const bad of ["10.1.2", "10.1.2.3/", "10.1.2.3/-1", "10.1.2.3/33", "010.1.2.3/8x", "::ffff:10.0.0.1", "a", ""])
    expect([bad, parseRange(bad)]).toEqual([bad, null]);
});

it("an address is in the ranges of its own family only", () => {
  expect(isWithin(["0.0.0.0/0"], "2001:db8::1")).toBe(false);
  expect(isWithin(["::/0"], "10.0.0.1")).toBe(false);
  expect(isWithin(["10.0.0.0/8"], "::ffff:10.9.9.9")).toBe(true);
  expect(isWithin(["10.0.0.0/8"], null)).toBe(false);
  expect(isWithin(["10.0.0.0/8"], "unknown")).toBe(false);
});

it("ranges cover those inside them", () => {
  expect(coverRanges(["10.0.0.0/8", "::1/128"], ["10.2.0.0/16", "::1/128"])).toBe(true);
  expect(coverRanges(["10.2.0.0/16"], ["10.0.0.0/8"])).toBe(false);
  expect(coverRanges(["10.0.0.0/8"], [])).toBe(true);
});

it("a key's scopes are those that its maker's role has, too", () => {
  expect(scopesWithin("owner", ["read", "write"])).toEqual(["read", "write"]);
  expect(scopesWithin("developer", ["payment_links:write"])).toEqual(["payment_links:write"]);
  expect(scopesWithin("viewer", ["payment_links:write", "api_keys:write"])).toEqual(["payment_links:read"]);
  const support = scopesWithin("support", ["read", "write", "gateway_accounts:write"]);
  expect(support).toContain("payment_links:write");
  expect(support).toContain("refunds:read");
  expect(support).not.toContain("refunds:write");
  expect(support).not.toContain("requests:read");
});
