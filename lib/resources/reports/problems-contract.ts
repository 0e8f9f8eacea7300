import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { linkMail } from "@/lib/resources/payment-links/funnel-contract";
import { paymentOfLink } from "@/lib/resources/payments/contract";
import { refund } from "@/lib/resources/refunds/contract";
import { webhookEndpoint } from "@/lib/resources/webhook-endpoints/contract";

/** Most problems of one kind in a response. */
export const maxProblems = 3;

export const problemKinds = [
  "unknown_payments",
  "mismatched_payments",
  "untold_prices",
  "failed_first_payments",
  "past_due_subscriptions",
  "unpaid_subscriptions",
  "failed_refunds",
  "failing_webhooks",
] as const;
export type ProblemKind = (typeof problemKinds)[number];

const debt = z.object({
  subscription_id: z.string(),
  email: z.string(),
  package: z.string().describe("Its name."),
  payment_link_id: z.string().describe("Of the oldest unpaid period, as are the fields below."),
  status: z.enum(["Active", "Processing"]),
  amount: z.number(),
  amount_cents: z.int(),
  currency: z.string(),
  attempt_count: z.int(),
  next_attempt_at: z.string().nullable(),
  updated_at: z.string(),
  mail: linkMail
    .nullable()
    .describe(
      "The newest e-mail with the payment link; null without one, or if the caller may not read payment links.",
    ),
});
export type Debt = z.infer<typeof debt>;

const debts = z.array(debt);

const untoldPrice = z.object({
  subscription_id: z.string(),
  email: z.string(),
  package: z.string().describe("Its name."),
  amount: z.number().describe("The new price."),
  amount_cents: z.int(),
  currency: z.string(),
  mail: linkMail
    .extend({ _id: z.string().describe("`POST /emails/{_id}/resend` announces the price again.") })
    .nullable()
    .describe("The newest e-mail about a new price; null without one, or if the caller may not read e-mails."),
});
export type UntoldPrice = z.infer<typeof untoldPrice>;

const problems = z.object({
  _id: z.string(),
  unknown_payments: z.array(paymentOfLink),
  mismatched_payments: z.array(paymentOfLink),
  untold_prices: z.array(untoldPrice),
  failed_first_payments: debts,
  past_due_subscriptions: debts,
  unpaid_subscriptions: debts,
  failed_refunds: z.array(refund),
  failing_webhooks: z.array(webhookEndpoint),
  created_at: z.string(),
});
export type Problems = z.infer<typeof problems>;

const example: Problems = {
  _id: "problems",
  unknown_payments: [],
  mismatched_payments: [],
  untold_prices: [],
  failed_first_payments: [],
  past_due_subscriptions: [
    {
      subscription_id: "sub_01k8m3v9z1b2c3d4e5f6g7h8j9k0m1n2p3q4",
      email: "ada@example.com",
      package: "Reading club",
      payment_link_id: "pl_01k8m3v9z1b2c3d4e5f6g7h8j9k0m1n2p3q4",
      status: "Active",
      amount: 15,
      amount_cents: 1500,
      currency: "EUR",
      attempt_count: 2,
      next_attempt_at: "2026-11-24T09:30:00.000000Z",
      updated_at: "2026-11-21T09:30:00.123456Z",
      mail: { status: "sent", at: "2026-11-21T09:30:01.250000Z" },
    },
  ],
  unpaid_subscriptions: [],
  failed_refunds: [],
  failing_webhooks: [],
  created_at: "2026-11-21T09:30:00.123456Z",
};

export const problemEndpoints = {
  problems: endpoint({
    method: "GET",
    path: "/reports/problems",
    summary: "Problems that need attention",
    description:
      `The newest ${maxProblems} of each kind that \`attention\` of \`GET /reports/overview\` counts; subscriptions with their oldest unpaid period. ` +
      "A kind whose rows the caller may not read is empty.",
    scope: "reports:read",
    response: problems,
    example: { data: example },
  }),
};
