import "./jitless";
import { z } from "zod";
import type { Endpoint } from "@/lib/http/endpoint";
import type { PageMeta } from "@/lib/http/envelope";
import { ApiFailure } from "./api-failure";
import { schemaOf } from "./late-schema";

export interface Rows<Row> {
  rows: Row[];
  page: PageMeta;
}

export type ResultOf<E extends Endpoint> = E extends { list: true }
  ? Rows<z.output<E["response"]>>
  : z.output<E["response"]>;

const pageMeta = z.object({
  per_page: z.int(),
  next_cursor: z.string().nullable(),
  prev_cursor: z.string().nullable(),
  total: z.int().optional(),
  total_is_lower_bound: z.boolean().optional(),
  sums: z.array(z.object({ currency: z.string(), amount_cents: z.int(), count: z.int() })).optional(),
});

const failure = z.object({
  message: z.string(),
  code: z.string().optional(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
});

/**
 * Parses a response of the API.
 * @throws ApiFailure for an error, and for a response that does not match the contract
 */
export async function resultOf<const E extends Endpoint>(
  endpoint: E,
  response: Response,
  text: string,
): Promise<ResultOf<E>> {
  if (!response.ok) throw failureOf(response, text);
  const resource = await schemaOf(endpoint.response);
  const schema = endpoint.list
    ? z.object({ data: z.array(resource), meta: pageMeta }).transform(({ data, meta }) => ({ rows: data, page: meta }))
    : z.object({ data: resource }).transform(({ data }) => data);
  const result = schema.safeParse(parseJson(text));
  if (!result.success)
    throw new ApiFailure(
      response.status,
      null,
      "This page does not understand the server's response. Reload the page.",
      {},
      response.headers.get("x-request-id"),
    );
  return result.data as ResultOf<E>;
}

/** Parses an error response of the API. */
export function failureOf(response: Response, text: string): ApiFailure {
  const { data } = failure.safeParse(parseJson(text));
  const { message, code, errors } = data ?? { message: "Something went wrong." };
  const requestId = response.headers.get("x-request-id");
  return new ApiFailure(response.status, code ?? null, message, errors, requestId, retryAfterOf(response));
}

/** Paydesk sends seconds. A date, which a proxy may send, is ignored. */
function retryAfterOf({ headers }: Response): number | null {
  const value = headers.get("retry-after") ?? "";
  return /^\d{1,9}$/.test(value) ? Number(value) : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
