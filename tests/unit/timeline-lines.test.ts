import { expect, it } from "vitest";
import { addressOf, linesOf } from "@/components/timeline/lines";
import type { TimelineEntry } from "@/lib/resources/timeline/contract";

const link = "pl_1";
const at = (second: number): string => `2026-11-21T09:31:${String(second).padStart(2, "0")}.000000Z`;

let id = 0;
const entry = (
  kind: TimelineEntry["kind"],
  type: string,
  second: number,
  payment_link_id: string | null = link,
): TimelineEntry => ({
  _id: `entry_${id++}`,
  kind,
  type,
  text: type,
  detail: null,
  actor: { type: "payer", id: null, name: null },
  about_id: null,
  title: null,
  payment_id: null,
  webhook_endpoint_id: null,
  payment_link_id,
  created_at: at(second),
});

const shown = (entries: TimelineEntry[]) =>
  linesOf(entries).map(({ entry: { type }, caused, deliveries }) =>
    deliveries.length > 1 ? `${deliveries.length} × ${type}` : [type, ...caused.map((each) => each.type)].join(" + "),
  );

it("makes one line of a charge, and keeps what it caused", () => {
  const entries = [
    entry("mail", "receipt", 2),
    entry("event", "subscription.activated", 2, null),
    entry("event", "payment_link.paid", 2),
    entry("event", "payment.succeeded", 2),
    entry("event", "payment.failed", 1),
    entry("event", "payment_link.created", 0),
  ];
  expect(shown(entries)).toEqual([
    "receipt",
    "payment.succeeded + subscription.activated",
    "payment.failed",
    "payment_link.created",
  ]);
});

it("keeps events of another moment or link apart, and a paid link without a payment", () => {
  const other = [entry("event", "payment_link.paid", 2, "pl_2"), entry("event", "payment.succeeded", 2)];
  expect(shown(other)).toEqual(["payment_link.paid", "payment.succeeded"]);
  const later = [entry("event", "subscription.past_due", 3, null), entry("event", "payment.failed", 2)];
  expect(shown(later)).toEqual(["subscription.past_due", "payment.failed"]);
  expect(shown([entry("event", "payment_link.paid", 2)])).toEqual(["payment_link.paid"]);
});

it("gives two links that are charged at the same moment a line each", () => {
  const entries = [
    entry("event", "payment_link.paid", 2, "pl_2"),
    entry("event", "payment.succeeded", 2, "pl_2"),
    entry("event", "payment_link.paid", 2),
    entry("event", "payment.succeeded", 2),
  ];
  expect(shown(entries)).toEqual(["payment.succeeded", "payment.succeeded"]);
});

it("groups successful deliveries in a row, and shows every other one", () => {
  const entries = [
    entry("webhook", "pending", 9),
    entry("webhook", "succeeded", 8),
    entry("webhook", "succeeded", 7),
    entry("webhook", "failed", 6),
    entry("webhook", "succeeded", 5),
  ];
  expect(shown(entries)).toEqual(["pending", "2 × succeeded", "failed", "succeeded"]);
  expect(linesOf([])).toEqual([]);
});

it("leads to what an entry is about, or to the event where that is the page shown, deleted, or has no page", () => {
  const event = (type: string, about: Partial<TimelineEntry>) =>
    addressOf({ ...entry("event", type, 1), _id: "evt_1", ...about }, "pl_1");
  expect(event("payment.succeeded", { about_id: "pay_1" })).toBe("/payments/pay_1");
  expect(event("refund.failed", { about_id: "ref_1", payment_id: "pay_1" })).toBe("/payments/pay_1");
  expect(event("dispute.created", { about_id: "dsp_1", payment_id: "pay_1" })).toBe("/disputes/dsp_1");
  expect(event("payment_link.paid", { about_id: "pl_1" })).toBe("/developers/events/evt_1");
  expect(event("payment_link.deleted", { about_id: "pl_2" })).toBe("/developers/events/evt_1");
  expect(event("customer.updated", { about_id: "cus_1" })).toBe("/developers/events/evt_1");

  const other = (kind: TimelineEntry["kind"], about: Partial<TimelineEntry>) =>
    addressOf({ ...entry(kind, "pending", 1), ...about }, "pay_1");
  expect(other("mail", { about_id: "eml_1" })).toBe("/emails/eml_1");
  expect(other("attempt", { about_id: "pay_2" })).toBe("/payments/pay_2");
  expect(other("attempt", { about_id: "pay_1" })).toBeNull();
  expect(other("webhook", { about_id: "whd_1", webhook_endpoint_id: "whe_1" })).toBe(
    "/developers/webhooks/whe_1?delivery=whd_1",
  );
  expect(other("webhook", { about_id: "whd_1" })).toBeNull();
  expect(other("visit", {})).toBeNull();
});
