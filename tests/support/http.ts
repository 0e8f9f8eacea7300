/** Where the server under test listens; set by the global setup. */
export const baseUrl = (): string => {
  const url = process.env.TEST_URL;
  if (!url) throw new Error("TEST_URL is missing: run the tests through npm test or vitest's api project");
  return url;
};

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read into answers of every shape, and fail where a shape is wrong
  json: any;
}

interface Options {
  key?: string;
  body?: unknown;
  /** Sent as it is, in place of a JSON body. */
  raw?: BodyInit;
  headers?: Record<string, string | undefined>;
}

/** Calls the API as a merchant's system does. `path` is below /api. A header given as undefined is left out. */
export async function call(method: string, path: string, options: Options = {}): Promise<Reply> {
  const headers = new Headers({ Accept: "application/json", "Content-Type": "application/json" });
  if (options.key) headers.set("Authorization", `Bearer ${options.key}`);
  for (const [name, value] of Object.entries(options.headers ?? {}))
    value === undefined ? headers.delete(name) : headers.set(name, value);
  const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const response = await fetch(`${baseUrl()}/api${path}`, { method, headers, body, redirect: "manual" });
  const text = await response.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json };
}
