import { createHash, randomBytes } from "node:crypto";

/** A way in that is sent to somebody: 256 random bits. What is kept is its SHA-256. */
export function newToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString("base64url");
  return { token, hash: hashToken(token) };
}

export const hashToken = (token: string): string => createHash("sha256").update(token).digest("hex");

/** Whether a string could be one; what cannot be is not looked up. */
export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);
