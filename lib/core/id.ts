import { randomBytes } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"; // Crockford's base 32: no i, l, o, u

export type IdPrefix =
  | "pl"
  | "tkn"
  | "pkg"
  | "sub"
  | "pay"
  | "ref"
  | "gwa"
  | "key"
  | "usr"
  | "ses"
  | "inv"
  | "evt"
  | "whe"
  | "whd"
  | "wha"
  | "eml"
  | "aud"
  | "req";

/**
 * A new identifier: prefix, 48 bits of time (so that ids sort by creation, to the millisecond), 130 random bits (a
 * payment link's id is the payer's only credential).
 */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${newOperation()}`;
}

/** What follows an id's prefix: an operation that is to be named before its row is written carries it alone. */
export function newOperation(): string {
  let time = Date.now();
  let head = "";
  for (let i = 0; i < 10; i++) {
    head = alphabet[time % 32] + head;
    time = Math.floor(time / 32);
  }
  let tail = "";
  for (const byte of randomBytes(26)) tail += alphabet[byte & 31];
  return `${head}${tail}`;
}

/** Whether a string could be an id of this kind; what cannot be one is not looked up. */
export function isId(prefix: IdPrefix, value: string): boolean {
  return value.startsWith(`${prefix}_`) && /^[0-9a-hjkmnp-tv-z]{36}$/.test(value.slice(prefix.length + 1));
}
