import { z } from "zod";
import { roles } from "@/lib/auth/scopes";
import { usedPasskeyJson } from "@/lib/core/passkey-json";
import { always, endpoint } from "@/lib/http/endpoint";
import { currency, optional, sensitive, text } from "@/lib/http/fields";
import { listQuery } from "@/lib/http/list-query";
import { timezone } from "@/lib/resources/settings/contract";

/** A new password. lib/auth/weak-password.ts refuses those that are easy to guess. */
export const newPassword = sensitive(
  text(256).refine((value) => [...value].length >= 12, "The password must be at least 12 characters."),
).describe("At least 12 characters, and not easy to guess.");

const given = sensitive(text(1024));

export const account = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(roles).describe("In the business that the session is in."),
  business_id: z.int(),
  business_name: z.string(),
  two_factor: z.boolean().describe("Whether an authenticator app gives codes."),
  passkeys: z.int().describe("How many passkeys the person has."),
  recovery_codes_left: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  email_verified: z.boolean().describe("Whether the person has proven that the mailbox is theirs."),
});
export type Account = z.infer<typeof account>;

export const session = z.object({
  _id: z.string(),
  browser: z.string().nullable(),
  device: z.string().nullable(),
  address: z.string().nullable(),
  business_id: z.int(),
  current: z.boolean(),
  last_seen_at: z.string().describe("To the minute."),
  expires_at: z.string(),
  created_at: z.string(),
});
export type Session = z.infer<typeof session>;

export const ownBusiness = z.object({
  _id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  current: z.boolean(),
  created_at: z.string().describe("When the person joined."),
  only_owner: z.boolean().describe("Whether the person is its only owner, and so can not leave it."),
});
export type OwnBusiness = z.infer<typeof ownBusiness>;

export const businessInput = z.object({
  name: text(100).describe("As payers see it."),
  currency: currency.describe("What forms offer first. Three-letter ISO 4217 code, uppercase."),
  timezone,
});
export type BusinessInput = z.output<typeof businessInput>;

const plainList = listQuery({});
export type PlainListQuery = z.output<typeof plainList>;

export const nameInput = z.object({ name: text(100) });
export const passwordInput = z.object({ current_password: given, password: newPassword });
export type PasswordInput = z.output<typeof passwordInput>;
export const codeInput = z.object({ code: sensitive(text(64)).describe("Six digits of the app.") });
const verificationInput = z.object({ token: sensitive(text(1_000)).describe("Of the link in the mail.") });
export const disableInput = z.object({ password: given });

export const confirmationInput = z.object({
  password: optional(given.describe("Of a person without a second factor.")),
  code: optional(sensitive(text(64)).describe("Six digits of the app, or a recovery code.")),
  passkey: optional(sensitive(usedPasskeyJson).describe("What `navigator.credentials.get` returned, as JSON.")),
});
export type ConfirmationInput = z.output<typeof confirmationInput>;

const at = "2026-11-21T09:30:00.123456Z";
const example: Account = {
  _id: "usr_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  name: "Ada Lovelace",
  email: "ada@example.com",
  role: "owner",
  business_id: 1,
  business_name: "Blue Bottle Books",
  two_factor: false,
  passkeys: 0,
  recovery_codes_left: 0,
  created_at: at,
  updated_at: at,
  email_verified: true,
};
const sessionExample: Session = {
  _id: "ses_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  browser: "Firefox 140",
  device: "Linux",
  address: "203.0.113.7",
  business_id: 1,
  current: true,
  last_seen_at: at,
  expires_at: "2026-11-21T21:30:00.123456Z",
  created_at: at,
};
const businessExample: OwnBusiness = {
  _id: "1",
  name: "Blue Bottle Books",
  role: "owner",
  current: true,
  created_at: at,
  only_owner: false,
};

const enrolment = z.object({
  _id: z.string(),
  secret: sensitive(z.string()).describe("To type in if there is no camera."),
  otpauth_uri: sensitive(z.string()),
  qr_svg: sensitive(z.string()),
});

const read = "account:read";
const write = "account:write";

export const accountEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/account",
    summary: "Get your account",
    scope: read,
    response: account,
    example: { data: example },
  }),
  update: endpoint({
    method: "PUT",
    path: "/account",
    summary: "Change your name",
    scope: write,
    body: nameInput,
    response: account,
    example: { body: { name: "Ada Lovelace" }, data: example },
  }),
  password: endpoint({
    method: "PUT",
    path: "/account/password",
    summary: "Change your password",
    description: "Ends every other session of the person at once.",
    scope: write,
    body: passwordInput,
    response: account,
    example: { body: { current_password: "…", password: "correct horse battery staple" }, data: example },
  }),
};

export const emailVerificationEndpoints = {
  send: endpoint({
    method: "POST",
    path: "/account/email-verification",
    summary: "Send the mail to confirm your address",
    description:
      "At most five times in 24 hours. Its link works for 24 hours, for a person who is signed in to the account.",
    scope: write,
    response: account,
    conflicts: "The address is confirmed already.",
    example: { data: { ...example, email_verified: false } },
  }),
  confirm: endpoint({
    method: "PUT",
    path: "/account/email-verification",
    summary: "Confirm your address",
    scope: write,
    body: verificationInput,
    response: account,
    example: { body: { token: "…" }, data: example },
  }),
};

export const sessionEndpoints = {
  confirm: endpoint({
    method: "POST",
    path: "/account/confirmation",
    summary: "Confirm one's identity",
    description:
      "For the next ten minutes of the session. Requests that a stolen session must not be enough for answer 403 " +
      "`confirmation_required` without it. A sign-in counts as one. A person with a second factor gives a code or a passkey, others the password.",
    scope: write,
    secret: true,
    body: confirmationInput,
    response: z.object({ _id: z.string().describe("The session."), confirmed_until: z.string() }),
    example: { body: { password: "…" }, data: { _id: sessionExample._id, confirmed_until: at } },
  }),
  list: endpoint({
    method: "GET",
    path: "/account/sessions",
    summary: "List your sessions",
    scope: read,
    query: plainList,
    response: session,
    list: true,
    example: { data: sessionExample },
  }),
  removeOthers: endpoint({
    method: "DELETE",
    path: "/account/sessions",
    summary: "End all other sessions",
    scope: write,
    stepUp: always,
    response: z.object({ _id: z.string(), ended: z.int() }),
    example: { data: { _id: "sessions", ended: 2 } },
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/account/sessions/{session_id}",
    summary: "End a session",
    scope: write,
    stepUp: always,
    response: session.extend({ deleted: z.literal(true) }),
    example: { data: { ...sessionExample, current: false, deleted: true } },
  }),
};

export const twoFactorEndpoints = {
  begin: endpoint({
    method: "POST",
    path: "/account/two-factor",
    summary: "Begin two-factor sign-in",
    description: "Creates a secret for an authenticator app. A code must confirm it before it is used.",
    scope: write,
    stepUp: always,
    secret: true,
    response: enrolment,
    conflicts: "It is on already.",
    example: {
      data: { _id: example._id, secret: "JBSWY3DPEHPK3PXP", otpauth_uri: "otpauth://totp/…", qr_svg: "<svg …" },
    },
  }),
  confirm: endpoint({
    method: "PUT",
    path: "/account/two-factor",
    summary: "Confirm two-factor sign-in",
    description:
      "With a code of the app. The response has ten recovery codes for one use each. They are only shown now.",
    scope: write,
    body: codeInput,
    response: account.extend({ recovery_codes: sensitive(z.array(z.string())) }),
    conflicts: "It is on already, or was not begun.",
    example: {
      body: { code: "123456" },
      data: { ...example, two_factor: true, recovery_codes_left: 10, recovery_codes: ["0000-0000-0000-0000"] },
    },
  }),
  disable: endpoint({
    method: "POST",
    path: "/account/two-factor/disable",
    summary: "End two-factor sign-in",
    scope: write,
    stepUp: always,
    secret: true,
    body: disableInput,
    response: account,
    conflicts: "It is not on, or it is the last second factor and a business of the person requires one.",
    example: { body: { password: "…" }, data: example },
  }),
};

export const businessEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/account/businesses",
    summary: "List your businesses",
    scope: read,
    query: plainList,
    response: ownBusiness,
    list: true,
    example: { data: businessExample },
  }),
  create: endpoint({
    method: "POST",
    path: "/account/businesses",
    summary: "Make another business",
    description:
      "The caller becomes its owner, and the session switches to it. 403 `registration_closed` if the operator does not " +
      "allow it. It counts as a registration.",
    scope: write,
    switchesBusiness: true,
    body: businessInput,
    response: ownBusiness,
    example: {
      body: { name: "Harbour Books", currency: "EUR", timezone: "Europe/Berlin" },
      data: { ...businessExample, _id: "2", name: "Harbour Books", only_owner: true },
    },
  }),
  enter: endpoint({
    method: "POST",
    path: "/account/businesses/{business_id}/switch",
    summary: "Switch to another business",
    description: "Switches the session to it, with the person's role there.",
    scope: write,
    response: ownBusiness,
    example: { data: businessExample },
  }),
  leave: endpoint({
    method: "DELETE",
    path: "/account/businesses/{business_id}",
    summary: "Leave a business",
    description:
      "Ends the person's sessions there, withdraws the invitations that the person has sent, and revokes the API keys that the " +
      "person made, of both modes. Have another member rotate those in use before.",
    scope: write,
    response: ownBusiness.extend({ deleted: z.literal(true) }),
    conflicts: "The last owner can not leave.",
    example: { data: { ...businessExample, deleted: true } },
  }),
};
