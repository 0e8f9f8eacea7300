interface Command {
  method: string;
  /** The whole address. */
  url: string;
  /** What stands for the key; null: without one. */
  key: string | null;
  /** JSON, or null. */
  body: string | null;
}

/** A word as a shell reads it, whatever is in it. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** A request as a command that can be pasted into a shell. The key's placeholder is a variable of that shell. */
export function curlCommand({ method, url, key, body }: Command): string {
  const how = method === "GET" ? "" : method === "HEAD" ? "--head " : `-X ${method} `;
  return [
    `curl ${how}${quoted(url)}`,
    ...(key === null ? [] : [`-H "Authorization: Bearer ${key}"`]),
    ...(body === null ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
  ].join(" \\\n  ");
}
