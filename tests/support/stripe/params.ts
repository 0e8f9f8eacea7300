import { badParameter, unimplemented } from "./errors";

/** A decoded body: strings nested by brackets. */
export type Raw = string | { [key: string]: Raw };

/** Decodes `a[b][0]=c` as Stripe's clients encode it. `a[]=c` appends. */
export function decode(text: string): Record<string, Raw> {
  const root: Record<string, Raw> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [name.replace(/\[.*$/s, ""), ...Array.from(name.matchAll(/\[([^\]]*)\]/g), (part) => part[1] ?? "")];
    const last = path.length - 1;
    let at = root;
    path.forEach((part, depth) => {
      const key = part === "" ? String(Object.keys(at).length) : part;
      if (depth === last) {
        at[key] = value;
        return;
      }
      const next = at[key];
      if (typeof next === "object") {
        at = next;
      } else {
        const fresh: Record<string, Raw> = Object.create(null);
        at[key] = fresh;
        at = fresh;
      }
    });
  }
  return root;
}

/** Converts objects with index keys to arrays, for assertions on logged requests. */
export function readable(raw: Raw): unknown {
  if (typeof raw === "string") return raw;
  const keys = Object.keys(raw);
  if (keys.length > 0 && keys.every((key, index) => key === String(index))) return Object.values(raw).map(readable);
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, readable(value)]));
}

/** Parses one parameter, or throws its error. */
export type Rule<V> = { read: (raw: Raw, at: string) => V };
type Needed<V> = Rule<V> & { needed: true };

/**
 * One rule for every parameter in the types of the installed package: a missing or unknown one does not compile.
 * Required parameters use `needed`.
 */
export type Keys<T> = { [K in keyof T]-?: undefined extends T[K] ? Rule<T[K]> : Needed<T[K]> };

const rule = <V>(read: (raw: Raw, at: string) => V): Rule<V> => ({ read });

const string = (raw: Raw, at: string): string => {
  if (typeof raw !== "string") throw badParameter(`Invalid string: ${at}`, at);
  return raw;
};

export const needed = <V>(inner: Rule<V>): Needed<V> => ({ ...inner, needed: true });

/** A parameter of real Stripe that the fake does not implement. */
export const notImplemented: Rule<never> = rule((_, at) => {
  throw unimplemented(`parameter ${at}`);
});

/** Text of at most `max` characters. Refuses empty text, like Stripe does where it does not unset a field. */
export const text = (max = 5000): Rule<string> =>
  rule((raw, at) => {
    const value = string(raw, at);
    if (value === "") throw badParameter(`You passed an empty string for '${at}'.`, at, "parameter_invalid_empty");
    if (value.length > max) throw badParameter(`Invalid string: at most ${max} characters: ${at}`, at);
    return value;
  });

export const integer: Rule<number> = rule((raw, at) => {
  const value = string(raw, at);
  if (!/^-?\d{1,15}$/.test(value)) throw badParameter(`Invalid integer: ${value}`, at, "parameter_invalid_integer");
  return Number(value);
});

export const between = (min: number, max: number): Rule<number> =>
  rule((raw, at) => {
    const value = integer.read(raw, at);
    if (value < min) throw badParameter(`${at} must be at least ${min}.`, at, "parameter_invalid_integer");
    if (value > max) throw badParameter(`${at} must be at most ${max}.`, at, "parameter_invalid_integer");
    return value;
  });

export const flag: Rule<boolean> = rule((raw, at) => {
  const value = string(raw, at);
  if (value !== "true" && value !== "false") throw badParameter(`Invalid boolean: ${value}`, at);
  return value === "true";
});

/** One of the implemented values. `others` are real values that the fake does not implement. */
export const oneOf = <const V extends string>(values: readonly V[], others: readonly string[] = []): Rule<V> =>
  rule((raw, at) => {
    const value = string(raw, at);
    const found = values.find((known) => known === value);
    if (found !== undefined) return found;
    if (others.includes(value)) throw unimplemented(`${at}=${value}`);
    throw badParameter(`Invalid ${at}: must be one of ${[...values, ...others].join(", ")}`, at);
  });

export const listOf = <V>(inner: Rule<V>, max = 100): Rule<V[]> =>
  rule((raw, at) => {
    if (typeof raw === "string") throw badParameter(`Invalid array: ${at}`, at);
    const entries = Object.entries(raw);
    if (entries.some(([key], index) => key !== String(index))) throw badParameter(`Invalid array: ${at}`, at);
    if (entries.length > max) throw badParameter(`Too many items in ${at}: at most ${max}.`, at);
    return entries.map(([key, value]) => inner.read(value, `${at}[${key}]`));
  });

/** An e-mail address of at most `max` characters. */
export const mailAddress = (max: number): Rule<string> =>
  rule((raw, at) => {
    const value = text(max).read(raw, at);
    if (!/^[^\s@]+@[^\s@]+$/.test(value)) throw badParameter(`Invalid email address: ${value}`, at, "email_invalid");
    return value;
  });

/** The suffix of a card's statement descriptor. `assertFits` checks it together with the account's prefix. */
export const statementSuffix: Rule<string> = rule((raw, at) => {
  const value = text(22).read(raw, at);
  if (!/[A-Za-z]/.test(value)) throw badParameter("The statement descriptor must contain at least one letter.", at);
  if (!/^[^<>\\'"*]*$/.test(value)) throw badParameter("The statement descriptor must not contain <>\\'\"*.", at);
  if (!/^[\x20-\x7e\u00a0-\u024f]*$/.test(value)) throw badParameter("The statement descriptor must be Latin.", at);
  return value;
});

/** An absolute URL, which may contain success_url's placeholder. */
export const webAddress: Rule<string> = rule((raw, at) => {
  const value = text(5000).read(raw, at);
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol)) throw badParameter("Not a valid URL", at, "url_invalid");
  return value;
});

/** Metadata within Stripe's limits. An empty value removes its key. */
export const metadata: Rule<Record<string, string>> = rule((raw, at) => {
  if (raw === "") return {};
  if (typeof raw === "string") throw badParameter(`Invalid object: ${at}`, at);
  const entries = Object.entries(raw).map(([key, value]) => [key, string(value, `${at}[${key}]`)] as const);
  if (entries.length > 50) throw badParameter("Metadata can have at most 50 keys.", at);
  for (const [key, value] of entries) {
    if (key.length > 40 || /[[\]]/.test(key))
      throw badParameter(`Metadata keys have at most 40 characters: ${key}`, at);
    if (value.length > 500) throw badParameter("Metadata values have at most 500 characters.", `${at}[${key}]`);
  }
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
});

export const object = <T>(keys: Keys<T>): Rule<T> => rule((raw, at) => readAll(keys, raw, at));

/** Parses all parameters of a request. */
export function readAll<T>(keys: Keys<T>, raw: Raw, at = ""): T {
  if (typeof raw === "string") throw badParameter(`Invalid object: ${at}`, at);
  const rules = new Map<string, Rule<unknown> & { needed?: true }>(Object.entries(keys));
  const name = (key: string) => (at ? `${at}[${key}]` : key);
  const read: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(raw)) {
    const known = rules.get(key);
    if (!known) throw unknown(name(key), key);
    read[key] = known.read(value, name(key));
  }
  for (const [key, known] of rules) {
    if (known.needed && !(key in read)) {
      throw badParameter(`Missing required param: ${name(key)}.`, name(key), "parameter_missing");
    }
  }
  return read as T;
}

function unknown(at: string, key: string) {
  const gone = key === "payment_method_types"; // removed from the API, with its own error code
  const code = gone ? "payment_method_types_no_longer_supported" : "parameter_unknown";
  return badParameter(`Received unknown parameter: ${at}`, at, code);
}
