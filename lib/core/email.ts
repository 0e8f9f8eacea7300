// One "@", no spaces, a dotted domain. Accepts what mail servers accept, including international domains.
const emailPattern =
  /^(?=[^@]{1,64}@)[^\s@<>()[\]\\,;:"\p{Cc}.][^\s@<>()[\]\\,;:"\p{Cc}]*@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u;

export const isEmail = (value: string): boolean => emailPattern.test(value) && !/\.\.|\.@/.test(value);

/** Ignores the case of A to Z alone, like `lower(... COLLATE "C")` in SQL. */
export const lowerAscii = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
