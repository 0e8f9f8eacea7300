import { expect, it } from "vitest";

process.env.SECURITY_CONTACT = "mailto:security@shop.example";
process.env.APP_URL = "https://pay.shop.example";

it("security.txt names the operator's contact, and expires within a year (RFC 9116)", async () => {
  const { GET } = await import("@/app/.well-known/security.txt/route");
  const answer = (method: string) => GET.serve({ method, url: "/", headers: { get: () => null }, body: null }, {});
  const { status, headers, body } = await answer("GET");
  expect([status, headers["Content-Type"]]).toEqual([200, "text/plain; charset=utf-8"]);
  const [, expires = ""] = /^Expires: (.*)$/m.exec(String(body)) ?? [];
  expect(Date.parse(expires) - Date.now()).toBeGreaterThan(7 * 86_400_000);
  expect(Date.parse(expires) - Date.now()).toBeLessThan(365 * 86_400_000);
  expect(String(body).replace(expires, "…")).toBe(
    "Contact: mailto:security@shop.example\nExpires: …\n" +
      "Canonical: https://pay.shop.example/.well-known/security.txt\nPreferred-Languages: en\n",
  );
  expect((await answer("HEAD")).body).toBeNull();
});
