import { ApiError } from "@/lib/core/errors";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const maxDepth = 32;

/**
 * Parses a JSON object strictly. Refuses duplicate keys (parsers differ), NUL and lone surrogates (PostgreSQL cannot store
 * them), and nesting deeper than 32.
 * @throws ApiError invalid_json
 */
export function parseJsonObject(bytes: Uint8Array): Record<string, unknown> {
  let value: unknown;
  try {
    const source = decoder.decode(bytes);
    value = JSON.parse(source);
    checkStrings(source);
  } catch {
    throw new ApiError("invalid_json");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new ApiError("invalid_json");
  return value as Record<string, unknown>;
}

/** Checks text that JSON.parse has accepted: throws on everything that parseJsonObject refuses. */
function checkStrings(source: string): void {
  const open: (Set<string> | null)[] = []; // the keys seen so far, for each object; null for an array
  let at = 0;
  while (at < source.length) {
    const char = source[at];
    if (char === "{" || char === "[") {
      if (open.push(char === "{" ? new Set() : null) > maxDepth) throw new Error("too deep");
    } else if (char === "}" || char === "]") {
      open.pop();
    } else if (char === '"') {
      const end = endOfString(source, at);
      const text = readString(source.slice(at, end));
      const keys = open.at(-1);
      if (keys && followedByColon(source, end)) {
        if (keys.has(text)) throw new Error("duplicate key");
        keys.add(text);
      }
      at = end;
      continue;
    }
    at++;
  }
}

function endOfString(source: string, start: number): number {
  let at = start + 1;
  while (source[at] !== '"') at += source[at] === "\\" ? 2 : 1;
  return at + 1;
}

function readString(quoted: string): string {
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  const text: string = JSON.parse(quoted);
  if (text.includes("\0") || !text.isWellFormed()) throw new Error("not storable");
  return text;
}

function followedByColon(source: string, from: number): boolean {
  let at = from;
  while (/\s/.test(source[at] ?? ":")) at++;
  return source[at] === ":";
}
