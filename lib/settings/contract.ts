import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { currency, email, text } from "@/lib/api/fields";

export const dunningEnds = ["unpaid", "cancel"] as const;

/** What a business decides about itself, for both modes. */
export const settings = z.object({
  _id: z.string(),
  business_id: z.int(),
  name: z.string(),
  timezone: z.string(),
  dunning_days: z.array(z.int()),
  dunning_end: z.enum(dunningEnds),
  support_email: z.string().nullable(),
  renewal_notice_days: z.int(),
  send_receipts: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
  currency: z.string().describe("What forms offer first."),
});
export type Settings = z.infer<typeof settings>;

const example: Settings = {
  _id: "settings",
  business_id: 1,
  name: "Blue Bottle Books",
  timezone: "Europe/Berlin",
  dunning_days: [2, 7, 14, 21],
  dunning_end: "unpaid",
  support_email: "help@shop.example",
  renewal_notice_days: 3,
  send_receipts: true,
  created_at: "2026-11-21T09:30:00.123456Z",
  updated_at: "2026-11-21T09:30:00.123456Z",
  currency: "EUR",
};

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return /^[A-Za-z]/.test(name); // an offset like +01:00 knows no summer
  } catch {
    return false;
  }
}

const days = z
  .array(z.int("The dunning_days must be integers.").min(1).max(365), "The dunning_days must be a list of integers.")
  .max(10, "The dunning_days must not have more than 10 items.")
  .refine((list) => list.every((day, i) => i === 0 || day > (list[i - 1] ?? 0)), "The dunning_days must ascend.")
  .describe("Days after the first failed charge of a period on which it is tried again; [] for none.");

const noticeDays = z
  .int("The renewal_notice_days must be an integer.")
  .min(0, "The renewal_notice_days must be at least 0.")
  .max(30, "The renewal_notice_days must not be greater than 30.");

/** An IANA time zone. */
export const timezone = z.string().refine(isTimezone, "The selected timezone is invalid.").describe("IANA name.");

export const settingsUpdate = z.object({
  name: text(100).optional().describe("As payers see it."),
  timezone: timezone.optional().describe("IANA name. Subscriptions that exist keep the zone they began in."),
  currency: currency.optional().describe("What forms offer first. Three-letter ISO 4217 code, uppercase."),
  dunning_days: days.optional(),
  dunning_end: z.enum(dunningEnds).optional().describe("What a subscription becomes when the last try has failed."),
  support_email: email.nullish().describe("Where answers to e-mails go; payers see it. null: nowhere."),
  renewal_notice_days: noticeDays
    .optional()
    .describe("How many days before a subscription's charge its payer is told of it; 0: never."),
  send_receipts: z.boolean().optional().describe("Whether payers get a receipt by e-mail."),
});
export type SettingsUpdate = z.output<typeof settingsUpdate>;

export const settingsEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/settings",
    summary: "Get the business's settings",
    scope: "settings:read",
    response: settings,
    example: { data: example },
  }),
  update: endpoint({
    method: "PUT",
    path: "/settings",
    summary: "Update the business's settings",
    description: "Changes only what is sent.",
    scope: "settings:write",
    body: settingsUpdate,
    response: settings,
    example: { body: { dunning_days: [3, 5], dunning_end: "cancel" }, data: example },
  }),
};
