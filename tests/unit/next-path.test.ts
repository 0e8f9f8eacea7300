import fc from "fast-check";
import { expect, test } from "vitest";
import { loginPath, safeNext } from "@/components/shell/next-path";

test.each(["/payment-links", "/payment-links?status=Paid&q=a%20b", "/payment-links#top", "/"])(
  "%s is a valid return path",
  (path) => expect(safeNext(path)).toBe(path),
);

test.each([
  "https://evil.example",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/..//evil.example",
  "javascript:alert(1)",
  "payment-links",
  "/login",
  "/login?next=/login",
  "/api/payment-links",
  "/a\nb",
  "",
  null,
  undefined,
  ["/a"],
])("%j is not", (value) => expect(safeNext(value)).toBe("/"));

test("for any input, the browser stays on our origin", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.string().map((text) => `/${text}`),
      ),
      (value) => {
        const origin = "https://pay.example";
        expect(new URL(safeNext(value), origin).origin).toBe(origin);
      },
    ),
  );
});

test("the sign-in page returns to the path", () => {
  expect(loginPath("/payment-links?q=a b")).toBe("/login");
  expect(loginPath("/payment-links?q=a+b")).toBe("/login?next=%2Fpayment-links%3Fq%3Da%2Bb");
  expect(loginPath("/")).toBe("/login");
});
