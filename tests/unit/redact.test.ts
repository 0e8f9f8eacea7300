import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { curlCommand } from "@/components/requests/curl";
import { redactBody, redactQuery, redactText } from "@/lib/http/redact";
import { paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";

const request = (body: unknown) => redactBody(JSON.stringify(body), paymentLinkEndpoints.create, "request");

describe("a stored body", () => {
  it("has only the values of fields that may be shown", () => {
    const secret = "canary-7f3a";
    const names = [
      "token",
      "password",
      "new_password",
      "secret",
      "key",
      "code",
      "codes",
      "link",
      "activation_url",
      "nonsense",
    ];
    const body = Object.fromEntries(names.map((name) => [name, { inner: secret, list: [secret] }]));
    const kept = request({ title: "Order 1001", amount: "1050", send_email: false, phone_no: null, ...body });
    expect(kept).not.toContain(secret);
    expect(JSON.parse(kept ?? "")).toEqual({
      title: "Order 1001",
      amount: "1050",
      send_email: false,
      phone_no: null,
      ...Object.fromEntries(names.map((name) => [name, "[redacted]"])),
    });
  });

  it("has no card number in any spelling and no key, even in a field that may be shown", () => {
    for (const number of ["4242424242424242", "4242 4242 4242 4242", "4242-4242-4242-4242", "378282246310005"])
      expect(request({ title: `Card ${number}, please`, [number]: 1 })).toBe(
        '{"title":"Card [redacted], please","[redacted]":"[redacted]"}',
      );
    expect(request({ amount: 4242424242424242 })).toBe('{"amount":"[redacted]"}');
    expect(request({ title: `sk_live_${"a".repeat(43)} whsec_${"b".repeat(32)}=` })).toBe(
      '{"title":"[redacted] [redacted]"}',
    );
    expect(redactText("pl_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8 2026-11-21T09:30:00.123456Z")).toBe(
      "pl_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8 2026-11-21T09:30:00.123456Z",
    );
  });

  it("has a response's code and messages, but not a request's code", () => {
    expect(request({ code: "123456" })).toBe('{"code":"[redacted]"}');
    expect(redactBody('{"message":"Not found.","code":"not_found"}', paymentLinkEndpoints.create, "answer")).toContain(
      "not_found",
    );
    expect(
      redactBody('{"errors":{"token":["The selected token is invalid."]}}', paymentLinkEndpoints.create, "answer"),
    ).toContain("is invalid.");
  });

  it("is at most 4 kB, and never ends in half a character", () => {
    const kept = request({ description: "é".repeat(3_000), title: "cut off" }) ?? "";
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(4_096);
    expect(Buffer.byteLength(kept)).toBeGreaterThan(4_090);
    expect(kept).not.toContain("\ufffd");
    expect(redactBody(`{"title":"${"x".repeat(20_000)}"}`, paymentLinkEndpoints.create, "request")).toBe(
      "[more than 16 kB: not kept]",
    );
    expect(redactBody("4242424242424242 is no JSON {", paymentLinkEndpoints.create, "request")).toBe("[not JSON]");
    expect(redactBody("", paymentLinkEndpoints.create, "request")).toBeNull();
  });

  it("never throws, and hides values of unknown fields", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const kept =
          redactBody(JSON.stringify({ x_field: "canary", title: value }), paymentLinkEndpoints.create, "request") ?? "";
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(4_096);
        expect(kept.startsWith('{"x_field":"[redacted]"')).toBe(true);
      }),
    );
  });
});

it("keeps only the query parameters that may be shown", () => {
  const params = new URLSearchParams("status=Active&token=canary&q=4242424242424242");
  expect(redactQuery(params, paymentLinkEndpoints.list)).toBe("status=Active&token=%5Bredacted%5D&q=%5Bredacted%5D");
  expect(redactQuery(new URLSearchParams(), paymentLinkEndpoints.list)).toBeNull();
});

it("writes a command that a shell reads exactly", () => {
  const body = JSON.stringify({ title: 'It\'s $5 `now` \\ "done"\n', description: "$(id) !x" });
  const command = curlCommand({ method: "PUT", url: "http://localhost:3000/api/a?b=c&d='e", key: "$KEY", body });
  const shown = execFileSync("sh", ["-c", `curl() { printf '%s\\0' "$@"; }; KEY=sk_test_x; ${command}`]).toString();
  expect(shown.split("\0").slice(0, -1)).toEqual([
    ...["-X", "PUT", "http://localhost:3000/api/a?b=c&d='e", "-H", "Authorization: Bearer sk_test_x"],
    ...["-H", "Content-Type: application/json", "-d", body],
  ]);
});
