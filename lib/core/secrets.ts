import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { required } from "./env";

const version = "v1.";
const nonceBytes = 12; // GCM's standard nonce
const tagBytes = 16;

/** A key derived for this purpose only, independent of the other uses of APP_SECRET. */
function key(): Buffer {
  return Buffer.from(hkdfSync("sha256", required("APP_SECRET"), "", "paydesk/secrets/v1", 32));
}

/**
 * Encrypts a secret for the database (AES-256-GCM under a key derived from APP_SECRET).
 * @param context where the value is stored, such as the row's id and the column: it decrypts with the same context only
 */
export function seal(plain: string, context: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key(), nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(context, "utf8"));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return version + Buffer.concat([nonce, body, cipher.getAuthTag()]).toString("base64url");
}

/**
 * Decrypts the result of `seal` with the same context.
 * @throws Error for another APP_SECRET, another context or changed bytes. The message reveals nothing of the content.
 */
export function unseal(sealed: string, context: string): string {
  const secret = key();
  try {
    if (!sealed.startsWith(version)) throw new Error("another version");
    const bytes = Buffer.from(sealed.slice(version.length), "base64url");
    const end = bytes.length - tagBytes;
    if (end < nonceBytes) throw new Error("too short");
    const decipher = createDecipheriv("aes-256-gcm", secret, bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(Buffer.from(context, "utf8"));
    decipher.setAuthTag(bytes.subarray(end));
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, end)), decipher.final()]).toString("utf8");
  } catch {
    throw new Error("A stored secret cannot be decrypted. Was APP_SECRET changed?");
  }
}
