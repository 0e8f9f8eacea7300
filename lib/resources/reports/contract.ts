import { z } from "zod";
import { type DeclineReason, declineReasons } from "@/lib/gateways/reasons";
import { endpoint } from "@/lib/http/endpoint";
import { day, optional } from "@/lib/http/fields";

const declineReasonNames = Object.keys(declineReasons) as [DeclineReason, ...DeclineReason[]];

/** Failed attempts of one currency and gateway, and payment links, that one period of the rates reads at most. */
export const maxFailures = 500;
export const maxLinks = 1_000;

const sum = z.object({ amount: z.number(), amount_cents: z.int(), count: z.int() });
export type Sum = z.infer<typeof sum>;

const fee = z.object({ currency: z.string(), amount: z.number(), amount_cents: z.int() });

const period = z.object({
  from: z.string().describe("The first day, in the business's time zone."),
  to: z.string().describe("The last day; it counts whole."),
  currencies: z.array(
    z.object({
      currency: z.string(),
      collected: sum.describe(
        "Payments that succeeded, less marks as paid that were reversed in the period. Can be negative.",
      ),
      refunded: sum.describe(
        "Refunds that succeeded, of whatever payments, less those that banks returned in the period. Can be negative.",
      ),
      failed: sum.describe("Attempts to pay that failed."),
      disputed: sum.describe(
        "What disputes took from the balance, less what they gave back in the period. Can be negative.",
      ),
      net: sum
        .pick({ amount: true, amount_cents: true })
        .describe("Collected minus refunds, disputed amounts and fees in this currency."),
      success_rate: z
        .number()
        .nullable()
        .describe("Succeeded payments among those that succeeded or failed, from 0 to 1; null without any."),
    }),
  ),
  fees: z
    .array(fee)
    .describe("What the gateways kept for payments and disputes, by the currency in which they keep it."),
  churn: z
    .array(
      z.object({
        currency: z.string(),
        started: z.int(),
        ended: z.int(),
        at_start: z
          .int()
          .nullable()
          .describe("Recurring subscriptions at the start of the period. Null where only a period until today has it."),
        rate: z.number().nullable().describe("`ended` by `at_start`; null if that is null or 0."),
      }),
    )
    .describe(
      "Subscriptions that began (with their first payment), and that had begun and ended: cancelled, completed or unpaid. `GET /subscriptions?churned=true` with `ended_from` and `ended_to` lists those that ended.",
    ),
});
export type Period = z.infer<typeof period>;

const daySum = z.object({
  date: z.string(),
  currency: z.string(),
  collected_cents: z.int(),
  refunded_cents: z.int(),
  collected_count: z.int(),
});

const overview = z.object({
  _id: z.string(),
  created_at: z.string(),
  timezone: z.string(),
  currency: z.string().describe("The business's default currency."),
  period,
  previous: period.describe("As many days before them."),
  days: z.array(daySum).describe("Days of the period on which something was collected or refunded."),
  previous_days: z.array(daySum).describe("The same of the days before them."),
  open: z
    .array(sum.extend({ currency: z.string() }))
    .nullable()
    .describe(
      "Active payment links. Null while they are counted for the first time: repeat the request after some seconds.",
    ),
  open_as_of: z
    .string()
    .nullable()
    .describe(
      "When open was counted. Null if it was counted for this response (at most 5000 active payment links), or if open is null.",
    ),
  recurring: z
    .array(z.object({ currency: z.string(), amount: z.number(), amount_cents: z.int(), subscriptions: z.int() }))
    .nullable()
    .describe(
      "What active and past-due subscriptions charge in a month: a year's charges by twelve, and so on. Null while it is computed for the first time.",
    ),
  recurring_as_of: z.string().nullable().describe("Like open_as_of, with more than 5000 such subscriptions."),
  attention: z
    .object({
      unknown_payments: z.int().describe("Payments of unknown outcome."),
      past_due_subscriptions: z.int(),
      unpaid_subscriptions: z.int(),
      failed_refunds: z
        .int()
        .describe("Of the last 30 days, unless the payment was refunded again since: `GET /refunds?unresolved=true`."),
      failing_webhooks: z
        .int()
        .describe("Webhook endpoints whose last attempt failed, or that were disabled because they failed."),
      mismatched_payments: z
        .int()
        .describe(
          "Unresolved mismatches: payments that the gateway took although they were settled by hand as failed.",
        ),
      untold_prices: z
        .int()
        .describe("Subscriptions whose new price could not be announced: `GET /subscriptions?untold_price=true`."),
      open_disputes: z.int().describe("Disputes and inquiries that wait for an answer."),
      dispute_deadline: z.string().nullable().describe("The first `respond_by` of these."),
      broken_gateway_accounts: z.int().describe("Connected accounts whose key the gateway refuses."),
      failed_first_payments: z
        .int()
        .describe(
          "Subscriptions that have not started, because the first charge of the saved card failed: `GET /subscriptions?first_payment_failed=true`.",
        ),
      unknown_charges: z.int().describe("Open unknown charges: `GET /unknown-charges` lists them."),
      differing_balances: z
        .int()
        .describe(
          "Gateway accounts whose balance differs from the journal. `GET /payouts/balance` names the differences.",
        ),
    })
    .describe("Problems that need attention. Each is counted to 1000 at most."),
  first: z
    .object({ payment_link: z.boolean(), payment: z.boolean(), tokenization: z.boolean(), subscription: z.boolean() })
    .describe("Whether there is any at all: what a new business has done yet."),
});
export type Overview = z.infer<typeof overview>;

const ratesOfPeriod = z.object({
  from: z.string().describe("The first day, in the business's time zone."),
  to: z.string().describe("The last day; it counts whole."),
  failures: z
    .array(z.object({ currency: z.string(), reason: z.enum(declineReasonNames), count: z.int() }))
    .describe("Why attempts to pay failed that began in the period, the most frequent reason first."),
  failures_are_sample: z
    .boolean()
    .describe(`Whether only the newest ${maxFailures} failed attempts of a currency and gateway were counted.`),
  links: z
    .array(
      z.object({
        currency: z.string(),
        created: z.int(),
        opened: z.int().describe("Whose payer opened the pay page, or tried to pay."),
        tried: z.int().describe("Whose payer tried to pay, or that are paid."),
        paid: z.int(),
        opened_rate: z.number().describe("`opened` divided by `created`, from 0 to 1."),
        tried_rate: z.number().describe("`tried` divided by `created`."),
        paid_rate: z.number().describe("`paid` divided by `created`."),
      }),
    )
    .describe(
      "Payment links that were created in the period, without periods of subscriptions, and what became of them.",
    ),
  links_are_sample: z.boolean().describe(`Whether only the newest ${maxLinks} payment links were counted.`),
});
export type RatesOfPeriod = z.infer<typeof ratesOfPeriod>;

const rates = z.object({
  _id: z.string(),
  created_at: z.string(),
  timezone: z.string(),
  period: ratesOfPeriod,
  previous: ratesOfPeriod.describe("As many days before them."),
});
export type Rates = z.infer<typeof rates>;

export const maxDays = 366;

const overviewQuery = z
  .object({
    from: optional(day.describe("The first day, in the business's time zone; without it, 29 days before the last.")),
    to: optional(day.describe("The last day; today without it.")),
  })
  .refine(({ from, to }) => !from || !to || from <= to, {
    path: ["to"],
    error: "The to must not be before from.",
  })
  // Not for what is no date.
  .refine(({ from, to }) => !from || !to || !(Date.parse(to) - Date.parse(from) >= maxDays * 86_400_000), {
    path: ["to"],
    error: `The period must not be longer than ${maxDays} days.`,
  });
export type OverviewQuery = z.output<typeof overviewQuery>;

const eur = (amount_cents: number, count: number): Sum => ({ amount: amount_cents / 100, amount_cents, count });

const example: Overview = {
  _id: "overview",
  created_at: "2026-11-21T09:30:00.123456Z",
  timezone: "Europe/Berlin",
  currency: "EUR",
  period: {
    from: "2026-10-23",
    to: "2026-11-21",
    currencies: [
      {
        currency: "EUR",
        collected: eur(125_050, 31),
        refunded: eur(2_500, 1),
        failed: eur(4_200, 3),
        disputed: eur(1_050, 1),
        net: { amount: 1188.74, amount_cents: 118_874 },
        success_rate: 0.9118,
      },
    ],
    fees: [{ currency: "EUR", amount: 26.26, amount_cents: 2626 }],
    churn: [{ currency: "EUR", started: 1, ended: 1, at_start: 3, rate: 0.3333 }],
  },
  previous: { from: "2026-09-23", to: "2026-10-22", currencies: [], fees: [], churn: [] },
  days: [{ date: "2026-11-20", currency: "EUR", collected_cents: 125_050, refunded_cents: 2_500, collected_count: 31 }],
  previous_days: [],
  open: [{ currency: "EUR", ...eur(8_400, 2) }],
  open_as_of: null,
  recurring: [{ currency: "EUR", amount: 45, amount_cents: 4500, subscriptions: 3 }],
  recurring_as_of: null,
  attention: {
    unknown_payments: 0,
    past_due_subscriptions: 1,
    unpaid_subscriptions: 0,
    failed_refunds: 0,
    failing_webhooks: 0,
    mismatched_payments: 0,
    untold_prices: 0,
    open_disputes: 0,
    dispute_deadline: null,
    broken_gateway_accounts: 0,
    failed_first_payments: 0,
    unknown_charges: 0,
    differing_balances: 0,
  },
  first: { payment_link: true, payment: true, tokenization: true, subscription: true },
};

const ratesExample: Rates = {
  _id: "rates",
  created_at: "2026-11-21T09:30:00.123456Z",
  timezone: "Europe/Berlin",
  period: {
    from: "2026-10-23",
    to: "2026-11-21",
    failures: [{ currency: "EUR", reason: "insufficient_funds", count: 3 }],
    failures_are_sample: false,
    links: [
      {
        ...{ currency: "EUR", created: 40, opened: 36, tried: 33, paid: 31 },
        ...{ opened_rate: 0.9, tried_rate: 0.825, paid_rate: 0.775 },
      },
    ],
    links_are_sample: false,
  },
  previous: {
    from: "2026-09-23",
    to: "2026-10-22",
    ...{ failures: [], failures_are_sample: false, links: [], links_are_sample: false },
  },
};

export const reportEndpoints = {
  overview: endpoint({
    method: "GET",
    path: "/reports/overview",
    summary: "Overview of a period",
    description: "What was collected, refunded and failed in a period and in the one before, and current figures.",
    scope: "reports:read",
    query: overviewQuery,
    response: overview,
    example: { data: example },
  }),
  rates: endpoint({
    method: "GET",
    path: "/reports/rates",
    summary: "Rates of a period",
    description:
      "Why attempts to pay failed in a period, and how many of its payment links were opened, tried and paid; the same of the period before.",
    scope: "reports:read",
    query: overviewQuery,
    response: rates,
    example: { data: ratesExample },
  }),
};
