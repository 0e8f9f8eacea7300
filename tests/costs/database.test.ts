import { afterAll, beforeAll, expect, test } from "vitest";
import { writer } from "@/components/mail-templates/compose";
import { bill } from "@/lib/billing/run";
import { db } from "@/lib/core/db";
import { conforms } from "@/lib/http/conforms";
import { queueStaffMail } from "@/lib/outbox/mail/enqueue";
import { startMails } from "@/lib/outbox/mail/send";
import { closeSmtp } from "@/lib/outbox/mail/smtp";
import { startDeliveries } from "@/lib/outbox/webhooks/deliver";
import { paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import { paymentEndpoints } from "@/lib/resources/payments/contract";
import { payments } from "@/lib/resources/payments/resource";
import { subscriptionEndpoints } from "@/lib/resources/subscriptions/contract";
import { subscriptions } from "@/lib/resources/subscriptions/resource";
import { payAt, postPayment } from "@/tests/support/checkout";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { mailProps } from "@/tests/support/mails";
import { startReceiver, until } from "@/tests/support/receiver";
import { create, savedCard } from "@/tests/support/samples";
import { callAs, signedIn } from "@/tests/support/sign-in";
import { manyMails, startSmtp } from "@/tests/support/smtp";
import { createEndpoint } from "@/tests/support/webhooks";
import { type Cost, startCountingProxy } from "./counting-proxy";
import { databaseCosts } from "./expected";
import { startWeb } from "./web";

type Path = keyof typeof databaseCosts;

let proxy: Awaited<ReturnType<typeof startCountingProxy>>;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
let stopWeb: () => Promise<void>;
let merchant: Merchant;
let key: string;
let card: string;
let cookie: string;

beforeAll(async () => {
  smtp = await startSmtp();
  Object.assign(process.env, { ...manyMails, SMTP_URL: smtp.url, MAIL_FROM: "desk@example.com" });
  proxy = await startCountingProxy(process.env.COSTS_DATABASE_URL ?? "");
  stopWeb = await startWeb(proxy.url);
  merchant = await createMerchant();
  key = merchant.key;
  card = await savedCard(key);
  ({ cookie } = await signedIn(merchant));
  // Rows for the lists to show.
  await payAt(`/pay?id=${await create(key, "payment_links")}`);
  await newSubscription();
});

afterAll(async () => {
  await stopWeb();
  await proxy.stop();
  closeSmtp();
  await smtp.stop();
});

const newLink = () => create(key, "payment_links");
const newSubscription = (over: Record<string, unknown> = {}) => create(key, "subscriptions", over);

async function succeed(request: Promise<{ status: number; text: string }>, status = 200): Promise<void> {
  const reply = await request;
  if (reply.status !== status) throw new Error(`${reply.status} ${reply.text.slice(0, 500)}`);
}

const times = (count: number) => (count === 1 ? "1 round trip" : `${count} round trips`);

/** Compares what a path has cost with the table, and says in a sentence what has changed. */
function compare(path: Path, { statements, roundTrips }: Cost): void {
  const expected = databaseCosts[path];
  if (roundTrips === expected.roundTrips && statements.length === expected.statements) return;
  const dearer = roundTrips > expected.roundTrips || statements.length > expected.statements;
  const advice = dearer
    ? "Save them, or give the reason in the commit and raise the figures in tests/costs/expected.ts."
    : "It is cheaper now: lower the figures in tests/costs/expected.ts.";
  const lines = statements.map((text, index) => `  ${index + 1}. ${text.replace(/\s+/g, " ").trim().slice(0, 200)}`);
  expect.fail(
    `${path} now takes ${times(roundTrips)} with ${statements.length} statements instead of ` +
      `${times(expected.roundTrips)} with ${expected.statements}. ${advice}\n${lines.join("\n")}`,
  );
}

/**
 * Prepares something new for each run, so that no run finds what another has left. The first run fills the caches.
 * @param verify checks afterwards that the measured work was done
 */
async function measure<T>(
  path: Path,
  prepare: () => Promise<T>,
  work: (prepared: T) => Promise<unknown>,
  verify?: (prepared: T) => Promise<unknown>,
) {
  await work(await prepare());
  const prepared = await prepare();
  const cost = await proxy.cost(() => work(prepared));
  await verify?.(prepared);
  compare(path, cost);
}

test.each<[Path, (id: string) => Promise<{ status: number; text: string }>]>([
  ["GET /payment-links/{id}", (id) => call("GET", `/payment-links/${id}`, { key })],
  ["GET /payment-links/{id} with the session's cookie", (id) => callAs(cookie, "GET", `/payment-links/${id}`)],
  ["GET /payment-links", () => call("GET", "/payment-links", { key })],
  ["POST /payment-links", () => call("POST", "/payment-links", { key, body: newLinkBody })],
  [
    "POST /payment-links with an Idempotency-Key",
    (id) => call("POST", "/payment-links", { key, body: newLinkBody, headers: { "Idempotency-Key": `costs-${id}` } }),
  ],
  ["GET /notifications", () => callAs(cookie, "GET", "/notifications")],
  ["GET /payments", () => call("GET", "/payments", { key })],
  ["GET /subscriptions", () => call("GET", "/subscriptions", { key })],
  ["GET /reports/overview", () => call("GET", "/reports/overview?from=2026-01-01&to=2026-01-31", { key })],
  ["GET /reports/problems", () => call("GET", "/reports/problems", { key })],
  [
    "POST /payment-links/{id}/charge",
    (id) => call("POST", `/payment-links/${id}/charge`, { key, body: { token: card } }),
  ],
])("%s", (path, request) => measure(path, newLink, (id) => succeed(request(id))));

const newLinkBody = { email: "ada@example.com", currency: "EUR", amount: "1050", title: "Order 1001" };

test("GET /subscriptions/{id}", () =>
  measure("GET /subscriptions/{id}", newSubscription, (id) => succeed(call("GET", `/subscriptions/${id}`, { key }))));

test("GET /pay", async () => {
  const open = async (id: string) => {
    const response = await fetch(`${baseUrl()}/pay?id=${id}`);
    expect(response.status).toBe(200);
    await response.text();
  };
  await measure("the first GET /pay of a link", newLink, open);
  const opened = async () => {
    const id = await newLink();
    await open(id);
    return id;
  };
  await measure("GET /pay again within a minute", opened, open);
});

test("POST /pay", () =>
  measure("POST /pay", newLink, async (id) => {
    const { status, location } = await postPayment(id, 1050, "EUR");
    expect([status, location]).toEqual([303, `/thank-you?id=${id}`]);
  }));

test("a subscription's period opened and charged", () =>
  measure(
    "a subscription's period opened and charged",
    () => newSubscription({ email: "ada@example.com" }),
    bill,
    async (id) => expect(await db.paymentLink.count({ where: { subscription_id: id, status: "Paid" } })).toBe(1),
  ));

test("a webhook delivered", async () => {
  const receiver = await startReceiver();
  await createEndpoint(merchant, receiver.url, ["payment_link.created"]);
  const deliver = async () => {
    const stop = startDeliveries();
    // Stopped before the answer arrives: a worker that goes on claims what is due next.
    const stopped = new Promise<void>((resolve) => {
      receiver.answer = (_, response) => {
        resolve(stop());
        response.end("ok");
      };
    });
    await until("the delivery", () => receiver.received.length > 0);
    await stopped;
    receiver.received.length = 0;
  };
  try {
    await measure("a webhook delivered", newLink, deliver);
  } finally {
    await receiver.stop();
  }
});

test("a mail sent", () => {
  const mail = { template: "invitation", to: "grace@example.com", props: mailProps.invitation } as const;
  return measure(
    "a mail sent",
    () => queueStaffMail(db, { ...mail, businessId: merchant.businessId, livemode: false }),
    async () => {
      const before = smtp.delivered.length;
      const stop = startMails(writer);
      // Stopped before the mail server answers: a worker that goes on claims what is due next.
      await new Promise<void>((resolve) => {
        smtp.behaviour.data = () => {
          resolve(stop());
          return undefined;
        };
      });
      expect(smtp.delivered.length).toBe(before + 1);
    },
  );
});

test("rows are as the contract shows them, so that no response is a copy", async () => {
  const tenant = { businessId: merchant.businessId, livemode: false };
  const pages = {
    links: await paymentLinks.list(db, tenant, paymentLinkEndpoints.list.query.parse({})),
    payments: await payments.list(db, tenant, paymentEndpoints.list.query.parse({})),
    subscriptions: await subscriptions.list(db, tenant, subscriptionEndpoints.list.query.parse({})),
  };
  const link = await paymentLinks.get(db, tenant, pages.links.rows[0]?._id ?? "");
  for (const [rows, { response }] of [
    [pages.links.rows, paymentLinkEndpoints.list],
    [[link], paymentLinkEndpoints.get],
    [pages.payments.rows, paymentEndpoints.list],
    [pages.subscriptions.rows, subscriptionEndpoints.list],
  ] as const) {
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter((row) => !conforms(response, row))).toEqual([]);
  }
});
