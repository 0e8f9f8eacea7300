import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import { baseUrl } from "./http";

export interface Options {
  challenge: string;
  allowCredentials?: { id: string }[];
  [field: string]: unknown;
}

/** What a forged or broken response has instead of the right value. */
export interface Over {
  origin?: string;
  rpId?: string;
  challenge?: string;
  counter?: number;
  /** Whether the device says that it has verified the person. */
  verified?: boolean;
  crossOrigin?: boolean;
  userHandle?: string | null;
  signature?: string;
}

const sha256 = (bytes: Uint8Array | string): Buffer => createHash("sha256").update(bytes).digest();
const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("base64url");

/** A device with one passkey, in software: what it answers over HTTP can be wrong in every way. */
export function makeAuthenticator(userId: string, { counts = true } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(32);
  let counter = 0;

  function clientData(type: string, options: Options, over: Over): Buffer {
    const { challenge = options.challenge, origin = baseUrl(), crossOrigin = false } = over;
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));
  }

  /** @param attested whether it holds the new public key */
  function authenticatorData(over: Over, attested: boolean): Buffer {
    const { rpId = "localhost", verified = true } = over;
    if (counts) counter++;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(over.counter ?? counter);
    const flags = 0x01 | (verified ? 0x04 : 0) | (attested ? 0x40 : 0);
    const head = Buffer.concat([sha256(rpId), Buffer.of(flags), count]);
    if (!attested) return head;
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, "base64url"))],
      [-3, new Uint8Array(Buffer.from(y, "base64url"))],
    ]);
    return Buffer.concat([head, Buffer.alloc(16), Buffer.of(0, id.length), id, isoCBOR.encode(key)]);
  }

  const credential = { id: base64url(id), rawId: base64url(id), type: "public-key", clientExtensionResults: {} };
  return {
    id: credential.id,
    /** Like `navigator.credentials.create`. */
    create(options: Options, over: Over = {}) {
      const attestation = new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", new Uint8Array(authenticatorData(over, true))],
      ]);
      const attestationObject = base64url(isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0]));
      const clientDataJSON = base64url(clientData("webauthn.create", options, over));
      return { ...credential, response: { clientDataJSON, attestationObject, transports: ["internal"] } };
    },
    /** Like `navigator.credentials.get`. */
    get(options: Options, over: Over = {}) {
      const client = clientData("webauthn.get", options, over);
      const data = authenticatorData(over, false);
      const signature = over.signature ?? base64url(sign("sha256", Buffer.concat([data, sha256(client)]), privateKey));
      const { userHandle = base64url(userId) } = over;
      const response = { clientDataJSON: base64url(client), authenticatorData: base64url(data), signature, userHandle };
      return { ...credential, response };
    },
  };
}

export type Authenticator = ReturnType<typeof makeAuthenticator>;
