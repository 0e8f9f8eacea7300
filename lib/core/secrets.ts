import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { appSecrets, required } from "./env";

const version = "v1.";
const nonceBytes = 12; // GCM's standard nonce
const tagBytes = 16;

const keys = new Map<string, Buffer>();

/** A key derived from an APP_SECRET for this purpose only, independent of the secret's other uses. */
function keyOf(appSecret: string): Buffer {
  const known = keys.get(appSecret);
  if (known) return known;
  const key = Buffer.from(hkdfSync("sha256", appSecret, "", "paydesk/secrets/v1", 32));
  keys.set(appSecret, key);
  return key;
}

export const isSealed = (stored: string): boolean => stored.startsWith(version);

/**
 * Encrypts a secret for the database (AES-256-GCM under a key derived from APP_SECRET). `npm run reseal` finds it by the
 * list in server/reseal.ts.
 * @param context where the value is stored, such as the row's id and the column: it decrypts with the same context only
 */
export function seal(plain: string, context: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", keyOf(required("APP_SECRET")), nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(context, "utf8"));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return version + Buffer.concat([nonce, body, cipher.getAuthTag()]).toString("base64url");
}

/**
 * Decrypts the result of `seal` with the same context, also under APP_SECRET_PREVIOUS.
 * @throws Error for another APP_SECRET, another context or changed bytes. The message reveals nothing of the content.
 */
export function unseal(sealed: string, context: string): string {
  for (const appSecret of appSecrets()) {
    const plain = unsealWith(keyOf(appSecret), sealed, context);
    if (plain !== null) return plain;
  }
  throw new Error("A stored secret cannot be decrypted. Was APP_SECRET changed?");
}

/**
 * Encrypts a value anew that APP_SECRET_PREVIOUS encrypted.
 * @returns null if it is encrypted with APP_SECRET already
 * @throws Error as `unseal`
 */
export function reseal(sealed: string, context: string): string | null {
  if (unsealWith(keyOf(required("APP_SECRET")), sealed, context) !== null) return null;
  return seal(unseal(sealed, context), context);
}

function unsealWith(key: Buffer, sealed: string, context: string): string | null {
  try {
    if (!isSealed(sealed)) return null;
    const bytes = Buffer.from(sealed.slice(version.length), "base64url");
    const end = bytes.length - tagBytes;
    if (end < nonceBytes) return null;
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(context, "utf8"));
    decipher.setAuthTag(bytes.subarray(end));
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, end)), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
