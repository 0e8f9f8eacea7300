interface Command {
  method: string;
  url: string;
  /** A placeholder for the key; null: no key. */
  key: string | null;
  /** JSON, or null. */
  body: string | null;
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** A request as a shell command. The key's placeholder is a variable of the shell. */
export function curlCommand({ method, url, key, body }: Command): string {
  const how = method === "GET" ? "" : method === "HEAD" ? "--head " : `-X ${method} `;
  return [
    `curl ${how}${quoted(url)}`,
    ...(key === null ? [] : [`-H "Authorization: Bearer ${key}"`]),
    ...(body === null ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
  ].join(" \\\n  ");
}
