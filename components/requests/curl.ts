interface Command {
  method: string;
  url: string;
  key: string | null;
  body: string | null;
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

export function curlCommand({ method, url, key, body }: Command): string {
  const how = method === "GET" ? "" : method === "HEAD" ? "--head " : `-X ${method} `;
  return [
    `curl ${how}${quoted(url)}`,
    ...(key === null ? [] : [`-H "Authorization: Bearer ${key}"`]),
    ...(body === null ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
  ].join(" \\\n  ");
}
