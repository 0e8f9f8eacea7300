import { createHash, randomBytes } from "node:crypto";

/** A one-time token of 256 random bits, and the SHA-256 to store. */
export function newToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString("base64url");
  return { token, hash: hashToken(token) };
}

export const hashToken = (token: string): string => createHash("sha256").update(token).digest("hex");

export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);
