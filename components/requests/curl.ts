interface Command {
  method: string;
  url: string;
  /** Null for a request without a key. */
  key: string | null;
  /** JSON. */
  body: string | null;
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** The key's placeholder is a shell variable. */
export function curlCommand({ method, url, key, body }: Command): string {
  const how = method === "GET" ? "" : method === "HEAD" ? "--head " : `-X ${method} `;
  return [
    `curl ${how}${quoted(url)}`,
    ...(key === null ? [] : [`-H "Authorization: Bearer ${key}"`]),
    ...(body === null ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
  ].join(" \\\n  ");
}
