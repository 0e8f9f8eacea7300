import { z } from "zod";
import type { Scope } from "@/lib/auth/scopes";
import { compactIban, isBic, isIban } from "@/lib/core/iban";
import { endpoint } from "@/lib/http/endpoint";
import { currency, email, sensitive, text } from "@/lib/http/fields";
import { isColour } from "./colour";

export const dunningEnds = ["unpaid", "cancel"] as const;

/** A business's settings, for both modes, and whether it can take payments in the caller's mode. */
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
  brand_colour: z.string().nullable().describe("#rrggbb; null: Paydesk's own."),
  logo_url: z.string().nullable().describe("Where the logo is; it changes with the logo."),
  logo_width: z.int().nullable().describe("In pixels."),
  logo_height: z.int().nullable(),
  support_phone: z.string().nullable(),
  thank_you_text: z.string().nullable().describe("Shown to payers after the payment."),
  pause_disputed: z.boolean().describe("Whether a subscription is paused while one of its payments is disputed."),
  can_take_payments: z
    .boolean()
    .describe(
      "In the mode of the key or page: in test mode always, in live mode while a gateway account is connected.",
    ),
  bank_holder: z.string().nullable().describe("The holder of the account for bank transfers. Payers see it."),
  bank_iban: z.string().nullable(),
  bank_bic: z.string().nullable(),
  two_factor_required: z.boolean().describe("Whether members need a second factor to use the dashboard."),
  held_backup_at: z
    .string()
    .nullable()
    .describe(
      "When the backup was made that this installation's operator has restored and not released: until then no subscription is " +
        "charged, and no e-mail or webhook is sent. null: not held.",
    ),
  seller_details: z.string().nullable().describe("On receipts, below the name: address and tax numbers."),
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
  brand_colour: "#1d4ed8",
  logo_url: null,
  logo_width: null,
  logo_height: null,
  support_phone: "+49 30 5550100",
  thank_you_text: "Your books leave our house tomorrow.",
  pause_disputed: true,
  can_take_payments: true,
  bank_holder: "Blue Bottle Books GmbH",
  bank_iban: "DE89370400440532013000",
  bank_bic: null,
  two_factor_required: false,
  held_backup_at: null,
  seller_details: "Torstraße 1\n10119 Berlin\nVAT DE123456789",
};

export const logoExample =
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mOQ9btBEmIY1TCqYfhqAAD880MQ0FIJmgAAAABJRU5ErkJggg==";

/** `spelledTimezone` (./timezone.ts) also checks that PostgreSQL knows it. */
function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return /^[A-Za-z]/.test(name); // an offset like +01:00 has no daylight saving time
  } catch {
    return false;
  }
}

const days = z
  .array(
    z
      .int("The dunning_days must be integers.")
      .min(1, "The dunning_days must be at least 1.")
      .max(365, "The dunning_days must not be greater than 365."),
    "The dunning_days must be a list of integers.",
  )
  .max(10, "The dunning_days must not have more than 10 items.")
  .refine((list) => list.every((day, i) => i === 0 || day > (list[i - 1] ?? 0)), "The dunning_days must ascend.")
  .describe("Days after the first failed charge of a period on which it is tried again; [] for none.");

const noticeDays = z
  .int("The renewal_notice_days must be an integer.")
  .min(0, "The renewal_notice_days must be at least 0.")
  .max(30, "The renewal_notice_days must not be greater than 30.");

export const timezone = z.string().refine(isTimezone, "The selected timezone is invalid.").describe("IANA name.");

const colour = z
  .string()
  .refine(isColour, "The brand_colour must be a colour such as #1d4ed8.")
  .transform((hex) => hex.toLowerCase());

const supportPhone = text(32).refine(
  (value) => /^\+?[\d ()./-]{3,}$/.test(value),
  "The support_phone must be a phone number.",
);

const iban = text(64).transform(compactIban).refine(isIban, "The bank_iban must be a valid IBAN.");

const bic = text(32).transform(compactIban).refine(isBic, "The bank_bic must be a valid BIC.");

// A control character would end a line of the QR code.
const holder = text(70).refine((value) => !/\p{Cc}/u.test(value), "The bank_holder must be on one line.");

/** The scope that changing the account for bank transfers also requires: it decides where the money goes. */
export const bankScope: Scope = "gateway_accounts:write";

export const bankFields = ["bank_holder", "bank_iban", "bank_bic"] as const;

/** Of the stored image. */
export const maxLogoBytes = 24_576;

/** Of the image in a request, whose body has at most 64 kB: base64 adds a third. It is encoded again to be stored. */
export const maxLogoUploadBytes = 46_080;

/** In pixels, either way. */
export const minLogoSide = 16;

export const logoInput = z.object({
  // The request log would keep 4 kB of base64.
  image: sensitive(z.string()).describe(
    "A PNG or JPEG in base64, also as a data: URL: at most 45 kB (60 kB in base64), 16 to 1024 pixels either way. " +
      "It is encoded again, with fewer colours or less quality if needed, and stored in 24 kB.",
  ),
});

export const settingsUpdate = z.object({
  name: text(100).optional().describe("As payers see it."),
  timezone: timezone.optional().describe("IANA name. Subscriptions that exist keep the zone they began in."),
  currency: currency.optional().describe("What forms offer first. Three-letter ISO 4217 code, uppercase."),
  dunning_days: days.optional(),
  dunning_end: z
    .enum(dunningEnds)
    .optional()
    .describe(
      "What a subscription becomes after the last failed retry. One that was never paid, or has `cancel_at_period_end`, is always cancelled.",
    ),
  support_email: email.nullish().describe("Where replies to e-mails go; payers see it. null: none."),
  renewal_notice_days: noticeDays
    .optional()
    .describe("How many days before a subscription's charge its payer gets a notice; 0: none."),
  send_receipts: z.boolean().optional().describe("Whether payers get a receipt by e-mail, of payments and of refunds."),
  pause_disputed: z
    .boolean()
    .optional()
    .describe(
      "Whether a subscription is paused while one of its payments is disputed. After a lost dispute it stays paused.",
    ),
  brand_colour: colour
    .nullish()
    .describe("#rrggbb: buttons on what payers see, written on in black or white. null: Paydesk's own."),
  support_phone: supportPhone.nullish().describe("Payers see it. null: none."),
  thank_you_text: text(500).nullish().describe("Shown to payers after the payment, as plain text. null: none."),
  seller_details: text(300)
    .nullish()
    .describe("On receipts, below the name: address and tax numbers, as plain text. null: none."),
  bank_holder: holder.nullish().describe("The holder of the account for bank transfers, as the bank knows it."),
  bank_iban: iban
    .nullish()
    .describe(
      "Pay pages offer a bank transfer to this account. null: no bank transfers; clears holder and BIC, and is refused beside one.",
    ),
  bank_bic: bic.nullish().describe("Not needed for transfers within SEPA."),
  two_factor_required: z
    .boolean()
    .optional()
    .describe(
      "Whether members need a second factor to use the dashboard: from their next sign-in. Only an owner who has one can change it.",
    ),
});
export type SettingsUpdate = z.output<typeof settingsUpdate>;
export type SettingsBody = z.input<typeof settingsUpdate>;

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
    description:
      "Changes only what is sent. With `If-Match` and the `updated_at` that was read, 412 if they have changed since. " +
      `Changing the account for bank transfers also requires \`${bankScope}\`. No test key may do it, and no person whose e-mail ` +
      "address is unconfirmed.",
    conflicts: "`two_factor_required`: the caller has no second factor.",
    ifMatch: true,
    scope: "settings:write",
    stepUp: (body) => [...bankFields, "two_factor_required"].some((field) => body[field] !== undefined),
    body: settingsUpdate,
    response: settings,
    example: {
      body: { dunning_days: [3, 5], dunning_end: "cancel" },
      data: { ...example, dunning_days: [3, 5], dunning_end: "cancel" },
    },
  }),
  putLogo: endpoint({
    method: "PUT",
    path: "/settings/logo",
    summary: "Set the logo",
    description: "Payers see it on pages, receipts and in e-mails, beside the name. `If-Match` as for the settings.",
    ifMatch: true,
    scope: "settings:write",
    body: logoInput,
    response: settings,
    example: {
      body: { image: logoExample },
      data: { ...example, logo_url: `https://pay.example/logo/1/${"3b".repeat(32)}`, logo_width: 16, logo_height: 16 },
    },
  }),
  removeLogo: endpoint({
    method: "DELETE",
    path: "/settings/logo",
    summary: "Remove the logo",
    description: "It is no longer served, not even to e-mails that show it. `If-Match` as for the settings.",
    ifMatch: true,
    scope: "settings:write",
    response: settings,
    example: { data: example },
  }),
};
