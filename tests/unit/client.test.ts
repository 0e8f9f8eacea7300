import { createTranslator } from "use-intl/core";
import { afterEach, expect, test, vi } from "vitest";
import { tooMany } from "@/components/ui/explain-failure";
import { ApiFailure } from "@/lib/client/api-failure";
import { call } from "@/lib/client/call";
import { paymentLinkEndpoints as endpoints } from "@/lib/resources/payment-links/contract";
import { eventRefetchMs } from "@/lib/resources/webhook-endpoints/queries";
import en from "@/messages/en";

const link = {
  _id: "pl_1",
  email: "a@example.com",
  phone_no: null,
  currency: "EUR",
  amount: 10.5,
  title: "T",
  description: null,
  redirect_url: null,
  reference: null,
  reference_2: null,
  status: "Active",
  payment_url: "http://localhost/pay?id=pl_1",
  business_id: 1,
  paid: false,
  created_at: "2026-11-21T10:00:00.000001Z",
  updated_at: "2026-11-21T10:00:00.000001Z",
  amount_cents: 1050,
  livemode: false,
  expires_at: null,
  paid_at: null,
  refunded_amount: 0,
  tax_percent: null,
  tax_amount: null,
  subscription_id: null,
  period_start: null,
  period_end: null,
  attempt_count: 0,
  next_attempt_at: null,
  internal_note: null,
  language: null,
  awaiting_transfer_since: null,
  metadata: {},
  notes: null,
};

function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  const fetched = vi.fn(
    async (_url: string, _init: RequestInit) =>
      new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers }),
  );
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

const failureOf = async (work: Promise<unknown>): Promise<ApiFailure> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiFailure)) throw new Error("no ApiFailure");
  return error;
};

afterEach(() => vi.unstubAllGlobals());

test("a list call sends only its filters and returns rows and paging", async () => {
  const fetched = answer(200, {
    success: true,
    data: [link],
    errors: null,
    meta: { timestamp: "", timezone: "UTC", per_page: 25, next_cursor: "n", prev_cursor: null },
  });
  const { rows, page } = await call(endpoints.list, { query: { status: "Paid", q: "a&b", cursor: undefined } });
  expect(fetched.mock.calls[0]?.[0]).toBe("/api/payment-links?status=Paid&q=a%26b");
  expect(fetched.mock.calls[0]?.[1].headers).toEqual({ "X-Paydesk-Mode": "test" });
  expect(rows[0]?.amount_cents).toBe(1050);
  expect(page).toEqual({ per_page: 25, next_cursor: "n", prev_cursor: null });
});

test("a create sends its idempotency key and body; an id is escaped in the path", async () => {
  const fetched = answer(200, { data: link });
  const body = { currency: "EUR", email: "a@example.com", amount: "1050", title: "T" };
  await call(endpoints.create, { body, idempotencyKey: "k1" });
  await call(endpoints.deactivate, { id: "a/b" });
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Idempotency-Key": "k1", "Content-Type": "application/json" },
  });
  expect(fetched.mock.calls[1]?.[0]).toBe("/api/payment-links/a%2Fb/deactivate");
  await expect(call(endpoints.get)).rejects.toThrow("needs an id");
});

test("a refusal keeps its status, code, message and fields", async () => {
  answer(422, { message: "The given data was invalid.", errors: { title: ["The title field is required."] } });
  expect(await failureOf(call(endpoints.list))).toMatchObject({
    status: 422,
    code: null,
    errors: { title: ["The title field is required."] },
  });
  answer(409, { message: "Paid.", code: "link_already_paid" });
  expect(await failureOf(call(endpoints.list))).toMatchObject({
    status: 409,
    code: "link_already_paid",
    message: "Paid.",
  });
});

test("a proxy's page, an unknown response and no response are failures too", async () => {
  answer(502, "<h1>Bad gateway</h1>");
  expect(await failureOf(call(endpoints.list))).toMatchObject({ status: 502, code: null });
  answer(200, { data: [{ _id: 1 }], meta: {} });
  expect(await failureOf(call(endpoints.list))).toMatchObject({ status: 200 });
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  expect(await failureOf(call(endpoints.list))).toMatchObject({ status: 0 });
});

test("a rate limit says when it ends, with a suitable unit", async () => {
  const t = createTranslator({ locale: "en-GB", messages: en, namespace: "ui.failure" });
  const said = async (retryAfter: string) => {
    vi.setSystemTime("2026-11-21T10:00:30Z");
    answer(429, { message: "Too Many Attempts.", code: "too_many_attempts" }, { "Retry-After": retryAfter });
    const failure = await failureOf(call(endpoints.list));
    vi.setSystemTime("2026-11-21T10:05:00Z"); // as long as it is shown, it says the same
    return tooMany(t, failure, "UTC");
  };
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    expect(await said("1")).toBe("Too many requests. Try again in 1 second.");
    expect(await said("59")).toMatch(/in 59 seconds\.$/);
    expect(await said("60")).toBe("Too many attempts. Try again at 10:02, in 1 minute.");
    expect(await said("900")).toBe("Too many attempts. Try again at 10:16, in 15 minutes.");
    expect(await said("3600")).toBe("Too many attempts. Try again at 11:01, in 60 minutes.");
    expect(await said("7000")).toBe("Too many attempts. Try again at 11:58, in 2 hours.");
    expect(await said("86400")).toBe("Too many attempts. Try again at 10:01, in 24 hours.");
    expect(await said("Sat, 21 Nov 2026 10:07:00 GMT")).toMatch(/Wait a moment/);
  } finally {
    vi.useRealTimers();
  }
});

test("an event's page asks for its deliveries more rarely the more endpoints there are", () => {
  for (const endpointCount of [1, 2, 5, 16]) {
    const requests = 1 + endpointCount; // their list, and each one's delivery
    expect((requests * 60_000) / eventRefetchMs(endpointCount)).toBe(40); // a minute
  }
});
