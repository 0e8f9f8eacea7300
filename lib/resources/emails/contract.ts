import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { optional, sensitive } from "@/lib/http/fields";
import { exportQuery, listQuery } from "@/lib/http/list-query";
import { paymentLinkExample } from "@/lib/resources/payment-links/contract";
import { templateNames } from "./templates";

export const emailStatuses = ["queued", "sent", "outbox", "failed", "dropped"] as const;

/** Why a mail was dropped: what had changed before it could be sent, or what the limits of mails say. */
export const dropReasons = [
  "link_deleted",
  "link_paid",
  "link_inactive",
  "link_expired",
  "subscription_ended",
  "subscription_paused",
  "charge_passed",
  "card_missing",
  "card_replaced",
  "price_change_withdrawn",
  "not_wanted",
  "no_gateway",
  "over_limit",
] as const;
export type DropReason = (typeof dropReasons)[number];

export const emailSummary = z.object({
  _id: z.string(),
  template: z.enum(templateNames),
  to: z.string(),
  subject: z
    .string()
    .nullable()
    .describe("null until it is rendered, a moment after its event, and for a mail that is dropped before."),
  status: z
    .enum(emailStatuses)
    .describe(
      "queued: to be sent, perhaps again; sent: the mail server has it; failed: given up, see `last_error`; " +
        "outbox: kept here and not sent, in test mode or without a mail server; dropped: not sent, because it was no longer true or exceeded the limits, " +
        "see `drop_reason`.",
    ),
  business_id: z.int(),
  livemode: z.boolean(),
  event_id: z.string().nullable().describe("The event that it is about."),
  payment_link_id: z.string().nullable(),
  subscription_id: z.string().nullable(),
  attempt_count: z
    .int()
    .describe("How often a worker took it up, also if it then delayed or dropped it without asking the mail server."),
  next_attempt_at: z.string().nullable(),
  last_error: z.string().nullable(),
  sent_at: z.string().nullable(),
  resendable: z.boolean().describe("Whether it can be sent again: it is to a payer and no longer queued."),
  created_at: z.string(),
  drop_reason: z.enum(dropReasons).nullable().describe("Why it was dropped; else null."),
});
export type EmailSummary = z.infer<typeof emailSummary>;

const email = emailSummary.extend({
  html: sensitive(z.string().nullable()).describe(
    "As its recipient sees it, without links that sign the recipient in.",
  ),
  text: sensitive(z.string().nullable()),
  resend_to: z
    .string()
    .nullable()
    .describe(
      "The recipient if it is sent again: a payment request goes to the link's present address. null if it is not resendable.",
    ),
});
export type Email = z.infer<typeof email>;

const summaryExample: EmailSummary = {
  _id: "eml_01k8m4d2e3f4g5h6j7k8m9n0p1q2r3s4t5v6",
  template: "payment_link",
  to: "ada@example.com",
  subject: "[Test] €10.50 to pay: Order 1001",
  status: "outbox",
  business_id: 1,
  livemode: false,
  event_id: "evt_01k8m4d2e3f4g5h6j7k8m9n0p1q2r3s4t5v6",
  payment_link_id: paymentLinkExample._id,
  subscription_id: null,
  attempt_count: 1,
  next_attempt_at: null,
  last_error: null,
  sent_at: null,
  resendable: true,
  created_at: "2026-11-21T09:30:00.123456Z",
  drop_reason: null,
};

export const emailListQuery = listQuery({
  status: optional(z.enum(emailStatuses)),
  template: optional(z.enum(templateNames)),
  to: optional(z.string().describe("The recipient's address.")),
  payment_link_id: optional(z.string()),
  payment_id: optional(z.string().describe("Receipts, and mails about a refund or a failure of this payment.")),
  subscription_id: optional(z.string()),
});
export type EmailListQuery = z.output<typeof emailListQuery>;

const one = "/emails/{email_id}";

/** Columns of the exported file. */
export const emailColumns: readonly string[] = [
  "_id",
  "created_at",
  "template",
  "to",
  "subject",
  "status",
  "drop_reason",
  "attempt_count",
  "next_attempt_at",
  "last_error",
  "sent_at",
  "payment_link_id",
  "subscription_id",
  "event_id",
];

export const emailEndpoints = {
  export: endpoint({
    method: "GET",
    path: "/emails/export",
    summary: "Export e-mails as CSV",
    description: "Every e-mail that the filters find, as a file (RFC 4180, UTF-8). Their text is left out.",
    scope: "emails:read",
    query: exportQuery(emailListQuery),
    response: emailSummary,
    csv: true,
    example: { data: summaryExample },
  }),
  list: endpoint({
    method: "GET",
    path: "/emails",
    summary: "List e-mails",
    description: "What has been sent to payers and staff, or would have been, newest first.",
    scope: "emails:read",
    query: emailListQuery,
    response: emailSummary,
    list: true,
    example: { data: summaryExample },
  }),
  get: endpoint({
    method: "GET",
    path: one,
    summary: "Get an e-mail",
    description: "With its text, as its recipient sees it.",
    scope: "emails:read",
    response: email,
    example: {
      data: {
        ...summaryExample,
        html: "<!DOCTYPE html><html>…</html>",
        text: "Please pay €10.50\n\nBlue Bottle Books has sent you a payment link.\n…",
        resend_to: "ada@example.com",
      },
    },
  }),
  resend: endpoint({
    method: "POST",
    path: `${one}/resend`,
    summary: "Send an e-mail again",
    description:
      "Queues a new copy of a mail to a payer. If the link can be paid, a payment request is written for it as it is now, and " +
      "goes to its present address. If the charge is still due, the same holds for a notice of a charge. A recipient gets at most five copies in 24 hours, of all mails together; " +
      "then the answer is 429 with Retry-After.",
    scope: "emails:write",
    response: emailSummary,
    conflicts:
      "The e-mail is to the staff, is still queued, or is about a link that cannot be paid now or a charge that is no longer due.",
    example: {
      data: { ...summaryExample, subject: null, status: "queued", event_id: null, attempt_count: 0, resendable: false },
    },
  }),
};
