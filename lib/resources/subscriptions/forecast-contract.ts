import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { optional } from "@/lib/http/fields";

const forecastCharge = z.object({ currency: z.string(), amount: z.number(), amount_cents: z.int(), count: z.int() });

const forecast = z.object({
  _id: z.string(),
  created_at: z.string(),
  as_of: z
    .string()
    .nullable()
    .describe(
      "When the forecast was computed. Null if it was computed for this response (at most 1000 subscriptions charge in these days), or if days is null.",
    ),
  from: z.string(),
  to: z.string(),
  timezone: z.string(),
  totals: z.array(forecastCharge).nullable(),
  days: z
    .array(forecastCharge.extend({ date: z.string() }))
    .nullable()
    .describe(
      "By day of the business's time zone. Null, like totals, months and at_risk, while it is forecast for the first time: repeat the request after a minute.",
    ),
  months: z
    .array(forecastCharge.extend({ month: z.string().describe("YYYY-MM.") }))
    .nullable()
    .describe("The sums of `days` by month. The first and the last month have only the days of the forecast."),
  at_risk: z
    .array(
      z.object({
        subscription_id: z.string(),
        email: z.string(),
        charge_at: z.string(),
        amount: z.number(),
        amount_cents: z.int(),
        currency: z.string(),
        reason: z.enum(["card_expires", "no_card"]),
        card: z.object({ brand: z.string(), last4: z.string(), exp_month: z.int(), exp_year: z.int() }).nullable(),
      }),
    )
    .nullable()
    .describe(
      "The first charge of each subscription that will find no usable card, soonest first; at most 100. Empty if the caller may not read subscriptions.",
    ),
});
export type Forecast = z.infer<typeof forecast>;

const forecastQuery = z.object({
  days: optional(
    z
      .string()
      .regex(/^([1-9]|[1-9]\d|[12]\d\d|3[0-5]\d|36[0-6])$/, "The days must be an integer from 1 to 366.")
      .describe("1 to 366; 90 unless given."),
  ).transform((days) => Number(days ?? 90)),
});

const shared = {
  method: "GET",
  query: forecastQuery,
  response: forecast,
  example: {
    data: {
      _id: "forecast",
      created_at: "2026-11-21T09:30:00.123456Z",
      as_of: null,
      from: "2026-11-21T09:30:00.123456Z",
      to: "2027-02-19T09:30:00.123456Z",
      timezone: "Europe/Berlin",
      totals: [{ currency: "EUR", amount: 45, amount_cents: 4500, count: 3 }],
      days: [{ date: "2026-12-21", currency: "EUR", amount: 15, amount_cents: 1500, count: 1 }],
      months: [{ month: "2026-12", currency: "EUR", amount: 15, amount_cents: 1500, count: 1 }],
      at_risk: [],
    },
  },
} as const;

export const forecastEndpoints = {
  forecast: endpoint({
    ...shared,
    path: "/subscriptions/forecast",
    summary: "Forecast what subscriptions will charge",
    description: "The same as `GET /reports/forecast`, for callers that may read subscriptions.",
    scope: "subscriptions:read",
  }),
};

export const forecastReportEndpoints = {
  forecast: endpoint({
    ...shared,
    path: "/reports/forecast",
    summary: "Forecast of what subscriptions will charge",
    description:
      "Expected charges by day and currency, if nothing changes, and subscriptions whose next charge finds no usable card.",
    scope: "reports:read",
  }),
};
