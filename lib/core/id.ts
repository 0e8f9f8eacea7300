import { randomFillSync } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"; // Crockford's base 32: no i, l, o, u

export type IdPrefix =
  | "pl"
  | "tkn"
  | "pkg"
  | "sub"
  | "pay"
  | "ref"
  | "dsp"
  | "gwa"
  | "uch"
  | "key"
  | "usr"
  | "ses"
  | "pky"
  | "svw"
  | "inv"
  | "evt"
  | "whe"
  | "whd"
  | "wha"
  | "eml"
  | "aud"
  | "req"
  | "po"
  | "cus"
  | "bal";

/**
 * A new identifier: a prefix, 48 bits of time (ids sort by creation, to the millisecond) and 130 random bits (a payment
 * link's id is the payer's only credential).
 */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${newOperation()}`;
}

/** An id without its prefix. Names an operation before its row is written. */
export function newOperation(): string {
  let tail = "";
  if (used + tailLength > random.length) {
    randomFillSync(random);
    used = 0;
  }
  for (const byte of random.subarray(used, used + tailLength)) tail += alphabet[byte & 31];
  used += tailLength;
  return `${headOf(Date.now())}${tail}`;
}

function headOf(time: number): string {
  let head = "";
  for (let i = 0, left = time; i < headLength; i++) {
    head = alphabet[left % 32] + head;
    left = Math.floor(left / 32);
  }
  return head;
}

/** A lower bound of the ids made from this time on: sorts before them, and after all earlier ids. */
export const firstIdAt = (prefix: IdPrefix, at: Date): string => `${prefix}_${headOf(at.getTime())}`;

/** When an id was made, by the system's clock. */
export const timeOfId = (id: string): Date => timeOfFirstId(id.slice(0, -tailLength));

/** The time of a bound that `firstIdAt` made. */
export const timeOfFirstId = (bound: string): Date =>
  new Date([...bound.slice(-headLength)].reduce((ms, digit) => ms * 32 + alphabet.indexOf(digit), 0));

const headLength = 10;

const tailLength = 26;

/** Random bytes for a hundred ids: a call for each would cost more than the rest of the id. */
const random = Buffer.alloc(100 * tailLength);
let used = random.length;

export function isId(prefix: IdPrefix, value: string): boolean {
  return value.startsWith(`${prefix}_`) && /^[0-9a-hjkmnp-tv-z]{36}$/.test(value.slice(prefix.length + 1));
}
