import { z } from "zod";
import { newPasskeyJson } from "@/lib/core/passkey-json";
import { always, endpoint } from "@/lib/http/endpoint";
import { optional, sensitive, text } from "@/lib/http/fields";
import { listQuery } from "@/lib/http/list-query";

export const passkey = z.object({
  _id: z.string(),
  name: z.string(),
  backed_up: z.boolean().describe("Whether the maker of the device keeps a copy, for the person's other devices."),
  last_used_at: z.string().nullable(),
  created_at: z.string(),
});
export type Passkey = z.infer<typeof passkey>;

const options = z.looseObject({ challenge: z.string() }).describe("Web Authentication's options, as JSON.");
const optionsOf = (description: string) =>
  z.object({ _id: z.string(), options: sensitive(options.describe(description)) });

export const passkeyInput = z.object({
  name: text(100).describe("What the person recognises it by."),
  passkey: sensitive(newPasskeyJson).describe("What `navigator.credentials.create` returned, as JSON."),
});
export type PasskeyInput = z.output<typeof passkeyInput>;

const newPasskey = passkey.extend({
  recovery_codes: sensitive(z.array(z.string()).nullable()).describe(
    "With the first second factor: ten codes for one use each, only shown now.",
  ),
});
export type NewPasskey = z.infer<typeof newPasskey>;

const plainList = listQuery({});

const example: Passkey = {
  _id: "pky_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  name: "MacBook",
  backed_up: true,
  last_used_at: null,
  created_at: "2026-11-21T09:30:00.123456Z",
};
const optionsExample = { _id: "options", options: { challenge: "vT5b…" } };
const credentialExample = { id: "A1b2", rawId: "A1b2", type: "public-key", clientExtensionResults: {} };

export const passkeyEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/account/passkeys",
    summary: "List your passkeys",
    scope: "account:read",
    query: plainList,
    response: passkey,
    list: true,
    example: { data: example },
  }),
  begin: endpoint({
    method: "POST",
    path: "/account/passkeys/options",
    summary: "Begin a passkey",
    description: "Options for the browser, with a challenge for one use by this session within five minutes.",
    scope: "account:write",
    stepUp: always,
    secret: true,
    response: optionsOf("For `navigator.credentials.create`."),
    example: { data: optionsExample },
  }),
  create: endpoint({
    method: "POST",
    path: "/account/passkeys",
    summary: "Add a passkey",
    description:
      "It signs in without the password, and is a second factor: from now on a sign-in with the password also takes a passkey or a code.",
    scope: "account:write",
    stepUp: always,
    secret: true,
    body: passkeyInput,
    response: newPasskey,
    conflicts: "The person has 20 passkeys, or the passkey is registered already.",
    example: {
      body: {
        name: "MacBook",
        passkey: { ...credentialExample, response: { clientDataJSON: "e30", attestationObject: "oA", transports: [] } },
      },
      data: { ...example, recovery_codes: null },
    },
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/account/passkeys/{passkey_id}",
    summary: "Remove a passkey",
    scope: "account:write",
    stepUp: always,
    response: passkey.extend({ deleted: z.literal(true) }),
    conflicts: "It is the last second factor, and a business of the person requires one.",
    example: { data: { ...example, deleted: true } },
  }),
  beginConfirmation: endpoint({
    method: "POST",
    path: "/account/confirmation/options",
    summary: "Begin a confirmation with a passkey",
    description: "Options for the browser, for one use by this session within five minutes.",
    scope: "account:write",
    secret: true,
    response: optionsOf("For `navigator.credentials.get`."),
    example: { data: optionsExample },
  }),
  beginSignIn: endpoint({
    method: "POST",
    path: "/passkey-sign-ins",
    summary: "Begin a sign-in with a passkey",
    description:
      "Options for the browser, for one use within five minutes by the browser that gets the cookie of this response. They do not " +
      "depend on who signs in, unless a sign-in with the password has begun.",
    scope: null,
    body: z.object({ ticket: optional(sensitive(text(2048))).describe("Of a sign-in with the password.") }),
    response: optionsOf("For `navigator.credentials.get`."),
    example: { body: {}, data: optionsExample },
  }),
};
