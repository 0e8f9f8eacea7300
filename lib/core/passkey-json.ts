import { z } from "zod";

/** base64url */
const bytes = z.string().regex(/^[A-Za-z0-9_-]{1,16384}$/);

const credential = {
  id: bytes,
  rawId: bytes,
  type: z.literal("public-key"),
  clientExtensionResults: z.object({}).catch({}),
};

/** What the browser's `navigator.credentials.get` returns, as JSON. */
export const usedPasskeyJson = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.nullish().transform((value) => value ?? undefined),
  }),
});

/** What the browser's `navigator.credentials.create` returns, as JSON. */
export const newPasskeyJson = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(z.string().max(32)).max(10).catch([]),
  }),
});
