import { z } from "zod";
import { roles } from "@/lib/auth/scopes";
import { endpoint } from "@/lib/http/endpoint";
import { currency, email, optional, sensitive, text } from "@/lib/http/fields";
import { newPassword } from "@/lib/resources/account/contract";
import { timezone } from "@/lib/resources/settings/contract";

const signInEmail = email.describe("To sign in with.");

export const registrationInput = z.object({
  business_name: text(100).describe("As payers see it."),
  currency: currency.describe("What forms offer first. Three-letter ISO 4217 code, uppercase."),
  timezone,
  name: text(100).describe("The owner's."),
  email: signInEmail,
  password: newPassword,
});
export type RegistrationInput = z.output<typeof registrationInput>;

const registration = z.object({
  _id: z.string().describe("The owner."),
  name: z.string(),
  email: z.string(),
  business_id: z.int(),
  business_name: z.string(),
  currency: z.string(),
  timezone: z.string(),
  created_at: z.string(),
});
export type Registration = z.infer<typeof registration>;

const token = sensitive(text(200)).describe("Of the address that the mail leads to.");

export const forgotInput = z.object({ email: signInEmail });
export const resetInput = z.object({ token, password: newPassword });
export type ResetInput = z.output<typeof resetInput>;

export const acceptInput = z.object({
  token,
  name: optional(text(100).describe("For the new account.")),
  password: optional(sensitive(text(256)).describe("For the new account, at least 12 characters.")),
});
export type AcceptInput = z.output<typeof acceptInput>;

const acceptance = z.object({
  _id: z.string().describe("The invitation."),
  email: z.string(),
  role: z.enum(roles),
  business_id: z.int(),
  business_name: z.string(),
});
export type Acceptance = z.infer<typeof acceptance>;

const user = "usr_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8";
const business = { business_id: 1, business_name: "Blue Bottle Books" };
const password = "correct horse battery staple";

export const registrationEndpoints = {
  create: endpoint({
    method: "POST",
    path: "/registrations",
    summary: "Register a business",
    description:
      "With its owner, who gets a mail to confirm the address. Answers 403 `registration_closed` where the operator does not want that.",
    scope: null,
    body: registrationInput,
    response: registration,
    example: {
      body: {
        business_name: "Blue Bottle Books",
        currency: "EUR",
        timezone: "Europe/Berlin",
        name: "Ada Lovelace",
        email: "ada@example.com",
        password,
      },
      data: {
        _id: user,
        name: "Ada Lovelace",
        email: "ada@example.com",
        ...business,
        currency: "EUR",
        timezone: "Europe/Berlin",
        created_at: "2026-11-21T09:30:00.123456Z",
      },
    },
  }),
  forgot: endpoint({
    method: "POST",
    path: "/password-resets",
    summary: "Request a password reset",
    description:
      "The response is the same whether or not the address has an account. The link in the mail works once, for an hour.",
    scope: null,
    body: forgotInput,
    response: z.object({ _id: z.string(), email: z.string() }),
    example: { body: { email: "ada@example.com" }, data: { _id: "password_reset", email: "ada@example.com" } },
  }),
  reset: endpoint({
    method: "PUT",
    path: "/password-resets",
    summary: "Set a new password",
    description:
      "Ends every session of the person. If the address was never confirmed, it now is, and what the account's registrant set up " +
      "is dropped: the second factor, recovery codes, pending invitations and API keys.",
    scope: null,
    body: resetInput,
    response: z.object({ _id: z.string(), email: z.string() }),
    example: { body: { token: "…", password }, data: { _id: "password_reset", email: "ada@example.com" } },
  }),
  accept: endpoint({
    method: "POST",
    path: "/invitations/accept",
    summary: "Accept an invitation",
    description:
      "Makes the person a member. A person who has signed in with this address needs nothing else. Others give a `name` and a " +
      "new `password` for an account. If the address has one already, it joins and keeps its own; the response is the same.",
    scope: null,
    body: acceptInput,
    response: acceptance,
    conflicts: "The invitation is no longer open.",
    example: {
      body: { token: "…", name: "Grace Hopper", password },
      data: {
        _id: "inv_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
        email: "grace@example.com",
        role: "developer",
        ...business,
      },
    },
  }),
};
