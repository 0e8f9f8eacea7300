/** The URL of the server under test; set by the global setup. */
export const baseUrl = (): string => {
  const url = process.env.TEST_URL;
  if (!url) throw new Error("TEST_URL is missing: run the tests through npm test or vitest's api project");
  return url;
};

/** A resource in tests: the common fields and any others. */
export interface Row {
  _id: string;
  status: string;
  livemode: boolean;
  created_at: string;
  updated_at: string;
  token: string;
  activation_url: string;
  payment_url: string;
  expires_at: string;
  payment_links: Row[];
  [field: string]: unknown;
}

/** A response's body, success or failure. Reading an absent field fails the test. */
interface Body {
  success: true;
  /** One row, or a list's rows. */
  data: Row & Row[];
  errors: Record<string, string[]>;
  meta: {
    next_cursor: string | null;
    prev_cursor: string | null;
    total: number;
    total_is_lower_bound: boolean;
    sums: { currency: string; amount_cents: number; count: number }[];
    timestamp: string;
  };
  message: string;
  code: string;
  reason: string;
  payment_id: string;
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  json: Body;
}

interface Options {
  key?: string;
  body?: unknown;
  /** The body to send unchanged, instead of JSON. */
  raw?: BodyInit;
  headers?: Record<string, string | undefined>;
}

/** Calls the API like a merchant's system. `path` is relative to /api. Omits headers that are undefined. */
export async function call(method: string, path: string, options: Options = {}): Promise<Reply> {
  const headers = new Headers({ Accept: "application/json", "Content-Type": "application/json" });
  if (options.key) headers.set("Authorization", `Bearer ${options.key}`);
  for (const [name, value] of Object.entries(options.headers ?? {}))
    value === undefined ? headers.delete(name) : headers.set(name, value);
  const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const response = await fetch(`${baseUrl()}/api${path}`, { method, headers, body, redirect: "manual" });
  const text = await response.text();
  const json = (text.startsWith("{") ? JSON.parse(text) : {}) as Body;
  return { status: response.status, headers: response.headers, text, json };
}
