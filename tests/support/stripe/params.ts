import { badParameter, unimplemented } from "./errors";

/** A decoded body: strings, in the nesting that its brackets spell. */
export type Raw = string | { [key: string]: Raw };

/** Decodes `a[b][0]=c` as Stripe's clients write it; `a[]=c` counts on from the last index. */
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

/** The same with arrays where all keys are indices: how tests want to read a logged request. */
export function readable(raw: Raw): unknown {
  if (typeof raw === "string") return raw;
  const keys = Object.keys(raw);
  if (keys.length > 0 && keys.every((key, index) => key === String(index))) return Object.values(raw).map(readable);
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, readable(value)]));
}

/** Reads one parameter and throws the refusal if it is not what it must be. */
export type Rule<V> = { read: (raw: Raw, at: string) => V };
type Needed<V> = Rule<V> & { needed: true };

/**
 * One rule for every parameter that the package's types know, no more and no fewer: the compiler refuses a list that
 * does not fit the types of the installed package. What the types require must be marked with `needed`.
 */
export type Keys<T> = { [K in keyof T]-?: undefined extends T[K] ? Rule<T[K]> : Needed<T[K]> };

const rule = <V>(read: (raw: Raw, at: string) => V): Rule<V> => ({ read });

const string = (raw: Raw, at: string): string => {
  if (typeof raw !== "string") throw badParameter(`Invalid string: ${at}`, at);
  return raw;
};

export const needed = <V>(inner: Rule<V>): Needed<V> => ({ ...inner, needed: true });

/** A parameter of the real API that the fake would otherwise have to ignore. */
export const notHere: Rule<never> = rule((_, at) => {
  throw unimplemented(`parameter ${at}`);
});

/** Text of at most `max` characters. Empty text is refused, as the API does where it would not unset anything. */
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

/** A whole number from `min` to `max`. */
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

/** One of the values that the fake implements; `others` are real ones that it does not. */
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

/** An absolute address; success_url's placeholder may stand in it. */
export const webAddress: Rule<string> = rule((raw, at) => {
  const value = string(raw, at);
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol)) throw badParameter("Not a valid URL", at, "url_invalid");
  return value;
});

/** Metadata within the API's bounds; an empty value leaves its key out. */
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

/** A nested object with its own list of keys. */
export const object = <T>(keys: Keys<T>): Rule<T> => rule((raw, at) => readAll(keys, raw, at));

/** Reads a whole request by its list of keys. */
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
  const gone = key === "payment_method_types"; // taken out of the API; its refusal has a code of its own
  const code = gone ? "payment_method_types_no_longer_supported" : "parameter_unknown";
  return badParameter(`Received unknown parameter: ${at}`, at, code);
}
