import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { required } from "./env";

const version = "v1.";
const nonceLength = 12; // bytes; 96 bits are what GCM is made for
const tagLength = 16; // bytes

/** A key for this purpose alone: what is encrypted here says nothing about the other uses of APP_SECRET. */
function key(): Buffer {
  return Buffer.from(hkdfSync("sha256", required("APP_SECRET"), "", "paydesk/secrets/v1", 32));
}

/**
 * Encrypts a secret for the database (AES-256-GCM under a key derived from APP_SECRET).
 * @param context where it will stand, for example the row's id and the column: it opens nowhere else
 */
export function seal(plain: string, context: string): string {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv("aes-256-gcm", key(), nonce, { authTagLength: tagLength });
  cipher.setAAD(Buffer.from(context, "utf8"));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return version + Buffer.concat([nonce, body, cipher.getAuthTag()]).toString("base64url");
}

/**
 * What `seal` encrypted for the same context.
 * @throws Error when it does not open: another APP_SECRET, another place, or changed bytes. It says nothing of the content.
 */
export function unseal(sealed: string, context: string): string {
  const secret = key();
  try {
    if (!sealed.startsWith(version)) throw new Error("another version");
    const bytes = Buffer.from(sealed.slice(version.length), "base64url");
    const end = bytes.length - tagLength;
    if (end < nonceLength) throw new Error("too short");
    const decipher = createDecipheriv("aes-256-gcm", secret, bytes.subarray(0, nonceLength), {
      authTagLength: tagLength,
    });
    decipher.setAAD(Buffer.from(context, "utf8"));
    decipher.setAuthTag(bytes.subarray(end));
    return Buffer.concat([decipher.update(bytes.subarray(nonceLength, end)), decipher.final()]).toString("utf8");
  } catch {
    throw new Error("A stored secret cannot be decrypted. Was APP_SECRET changed?");
  }
}
