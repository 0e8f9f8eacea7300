import { createHash } from "node:crypto";
import { createElement } from "react";
import { describe, expect, it } from "vitest";
import {
  formDocument,
  inFlightDocument,
  offerOf,
  paidDocument,
  thanksDocument,
} from "@/components/payer/pay-documents";
import { transferDocument } from "@/components/payer/transfer-document";
import { toResponse } from "@/lib/http/reply";
import { documentResponse, safeUrl } from "@/lib/payer/document";
import type { Payable } from "@/lib/payer/payable";
import { plainBrand } from "@/lib/resources/settings/brand";

const link: Payable = {
  id: "pl_000000000000000000000000000000000000",
  livemode: false,
  status: "Active",
  amount_cents: 1050,
  tax_basis_points: null,
  currency: "EUR",
  language: "en",
  title: '</title><script>alert("1")</script>',
  description: "</style><img src=x onerror=alert(1)>",
  redirect_url: null,
  expires_at: null,
  paid_at: null,
  deleted_at: null,
  subscription_status: null,
  business_name: "<b>Blue Bottle</b> & Söhne",
  business_timezone: "Europe/Berlin",
  brand: plainBrand,
  attempt_id: null,
  attempt_status: null,
  attempt_reason: null,
  attempt_age: null,
  card_brand: null,
  card_last4: null,
  receipt_token: null,
  email: "ada.secret@example.com",
  business_id: 1,
  reference: "internal",
  subscription_id: null,
  period_index: null,
  gateway_account_id: null,
  clock_ahead: 0,
  method: null,
  paid_on: null,
  awaiting_transfer: true,
  bank_holder: "Blue Bottle </style><script>",
  bank_iban: "DE89370400440532013000",
  bank_bic: null,
};

const rendered = async (page: Parameters<typeof documentResponse>[0]) => toResponse(await documentResponse(page));

describe("a payer's document", () => {
  it("allows only its own style and its own form", async () => {
    const response = await rendered(formDocument(offerOf(link, true)));
    const html = await response.text();
    const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    expect(response.headers.get("content-security-policy")).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
  });

  it("forbids forms if it has none", async () => {
    const response = await rendered({ status: 200, title: "Hello", body: createElement("main") });
    expect(response.headers.get("content-security-policy")).toContain("form-action 'none'");
  });

  it("has no script, for any merchant input", async () => {
    for (const page of [
      formDocument(offerOf(link, true)),
      paidDocument(link),
      inFlightDocument(link),
      thanksDocument(link),
      await transferDocument(link, { holder: link.bank_holder ?? "", iban: "DE89370400440532013000", bic: null }, true),
    ]) {
      const html = await (await rendered(page)).text();
      expect(html).not.toMatch(/<script|<img|<b>|<[^>]*\s(style|on\w+)=/i);
      expect(html.match(/<\/style>/g)).toHaveLength(1);
    }
  });

  it("weighs less than 30 kB", async () => {
    const long = { ...link, title: "W".repeat(50), description: "€".repeat(2_000) };
    const html = await (await rendered(formDocument(offerOf(long, true)))).text();
    expect(Buffer.byteLength(html)).toBeLessThan(30_000);
  });

  it("redirects to a stored URL that cannot break out of its header", async () => {
    const redirect_url = "https://shop.example/ok?a=\"b\"&c='d' é;url=https://evil.example";
    const response = await rendered(thanksDocument({ ...link, status: "Paid", redirect_url }));
    const refresh = response.headers.get("refresh") ?? "";
    expect(refresh).toMatch(/^0; url=https:\/\/shop\.example\/ok\?[!-~]+$/);
    expect(refresh).not.toMatch(/["\s]$/);
  });

  it.each([
    ["https://shop.example/a b", "https://shop.example/a%20b"],
    ["http://localhost:8080", "http://localhost:8080/"],
    ["javascript:alert(1)", null],
    ["data:text/html,x", null],
    ["//evil.example", null],
    ["", null],
    [null, null],
  ])("redirects from %j to %j", (stored, url) => {
    expect(safeUrl(stored)).toBe(url);
  });
});
