/** In place of what is not shown. */
const hidden = "[redacted]";

/** What is kept of a body, in bytes. */
const mostKept = 4_096;

/** A body that is larger is not even read: it is not worth the time, and what is kept of it would not be whole. */
export const mostRead = 16_384;

/**
 * The fields whose values may be shown. A field that is not here, ours or a caller's mistake, is hidden whatever is in it:
 * tokens, keys, secrets, passwords, codes, addresses that let somebody in.
 */
const shown: ReadonlySet<string> = new Set(
  [
    "_id id business_id livemode created_at updated_at deleted status success data meta timestamp timezone per_page next_cursor",
    "prev_cursor total email phone_no currency amount amount_cents title description redirect_url reference reference_2 paid",
    "payment_url send_email expires_at paid_at refunded_amount subscription_id period_start period_end attempt_count",
    "next_attempt_at package_id package name frequency date_charge_start next_charge_at current_period_start",
    "current_period_end cancel_at_period_end payment_links payment_link_id payment_id tokenization_id card brand last4",
    "exp_month exp_year activated_at revoked_at reason failure_reason gateway type template to from subject role scopes",
    "overlap_hours url events since until until_at rows row file created valid invalid dunning_days dunning_end support_email",
    "subscriber_count sort q with_total created_from created_to cursor path method usable api_key_id actor_type resource_id",
    "request_id sequence actor message errors sample now ahead last_used_at resendable sent_at",
  ].flatMap((line) => line.split(" ")),
);

/** Card-like digits, and what our own secrets begin with, also where somebody has put them into a title. */
const secrets = /\d(?:[ .-]?\d){12,18}|(?:sk_(?:test|live)_|whsec_)[\w+/=-]*/g;

/** A text as it may be shown. */
export const redactText = (text: string): string => text.replace(secrets, hidden);

/**
 * What may be kept of a JSON body: its shape, and the values of fields that may be shown. Of an answer its `code` too, which
 * in a request may be a second factor's.
 * @returns at most 4 kB; null when there is none
 */
export function redactBody(text: string, of: "request" | "answer"): string | null {
  if (text === "") return null;
  if (text.length > mostRead) return "[more than 16 kB: not kept]";
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "[not JSON]";
  }
  return cut(JSON.stringify(redact(value, of === "answer", 0)));
}

function redact(value: unknown, answer: boolean, depth: number): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value === "number") return Math.abs(value) >= 1e11 ? hidden : value;
  if (value === null || typeof value !== "object") return value;
  if (depth >= 8) return hidden;
  if (Array.isArray(value)) return value.map((item) => redact(item, answer, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (inner === null) return [nameOf(name), null];
      // Our own texts, by the name of the field that they are about.
      if (answer && name === "errors") return [name, texts(inner)];
      const allowed = shown.has(name) || (answer && name === "code");
      return [nameOf(name), allowed ? redact(inner, answer, depth + 1) : hidden];
    }),
  );
}

const texts = (errors: unknown): unknown => JSON.parse(redactText(JSON.stringify(errors)));

/** A name is a caller's too. */
const nameOf = (name: string): string => redactText(name.slice(0, 64));

/** Query parameters as they may be shown, in their order; null when there are none. */
export function redactQuery(params: URLSearchParams): string | null {
  if (params.size === 0) return null;
  const kept = new URLSearchParams();
  for (const [name, value] of params) kept.append(nameOf(name), shown.has(name) ? redactText(value) : hidden);
  return cut(kept.toString());
}

function cut(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= mostKept) return text;
  // A character that the cut would halve is left out.
  return `${new TextDecoder().decode(bytes.subarray(0, mostKept - 3), { stream: true })}…`;
}
