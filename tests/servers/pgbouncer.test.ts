import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectionLimits } from "@/lib/core/connection-limits";
import { db } from "@/lib/core/db";
import { disconnect } from "@/lib/core/disconnect";
import { missingLimits } from "@/server/role-limits";
import { payAt } from "@/tests/support/checkout";
import { command } from "@/tests/support/command";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { type Launched, launch, paydeskWeb, paydeskWorker } from "@/tests/support/launch";
import { canPoolTransactions, startPgBouncer } from "@/tests/support/pgbouncer";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";
import { type Receiver, startReceiver, until } from "@/tests/support/receiver";
import { create } from "@/tests/support/samples";
import { type StripeFake, startStripeFake } from "@/tests/support/stripe/fake";
import { createEndpoint } from "@/tests/support/webhooks";

/** Fewer than a web process opens to the pooler, so that transactions of different connections share sessions. */
const sessions = 4;

describe.runIf(canPoolTransactions())("a web process behind the PgBouncer of deploy/, and a worker beside it", () => {
  let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
  let stripe: StripeFake;
  let receiver: Receiver;
  let direct: string;
  let settings: Record<string, string>;
  let web: Launched;
  let worker: Launched;
  let merchant: Merchant;
  let output = "";

  beforeAll(async () => {
    direct = await createDatabase();
    const options = {
      mode: "shipped",
      settings: `default_pool_size = ${sessions}\nadmin_users = paydesk_app`,
    } as const;
    [pooler, stripe, receiver] = await Promise.all([
      startPgBouncer(direct, options),
      startStripeFake(),
      startReceiver(),
    ]);
    settings = {
      DATABASE_URL: pooler.url,
      DATABASE_URL_DIRECT: direct,
      DATABASE_MIGRATE_URL: ownerUrl(direct),
      APP_SECRET: randomBytes(32).toString("base64url"),
      STRIPE_API_URL: stripe.url,
      WEBHOOKS_ALLOW_LOCALHOST: "1",
      RATE_LIMIT_PER_MINUTE: "1000000",
    };
    web = await launch({ ...settings, LOG_LEVEL: "warn" }, paydeskWeb, (text) => {
      output += text;
    });
    settings.APP_URL = web.url;
    worker = await launch(settings, paydeskWorker);
    Object.assign(process.env, { DATABASE_URL: direct, APP_SECRET: settings.APP_SECRET, TEST_URL: web.url });
    merchant = await createMerchant();
  });
  afterAll(async () => {
    await Promise.all([web?.stop(), worker?.stop()]);
    await disconnect();
    await Promise.all([pooler?.stop(), stripe?.close(), receiver?.stop()]);
  });

  const get = (path: string) => call("GET", path, { key: merchant.key });

  /** What the doctor says about the pooler. */
  const examine = async (over: Record<string, string> = {}): Promise<string[]> => {
    const { stdout } = await command("doctor", ["--json"], { env: { LOG_LEVEL: "silent", ...settings, ...over } });
    const found = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { about: string; says: string });
    return found.filter(({ about }) => about === "pooler").map(({ says }) => says);
  };

  /** Runs `work` with as many clients of the pooler as it has sessions, each in a transaction. */
  async function withEverySession(work: (client: Client) => Promise<void>): Promise<void> {
    const clients = Array.from({ length: sessions }, () => new Client({ connectionString: pooler.url }));
    try {
      for (const client of clients) {
        client.on("error", () => undefined);
        await client.connect();
        await client.query("BEGIN");
        await work(client);
      }
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  }

  it("serves many requests at once over few sessions", async () => {
    const body = { email: "ada@example.com", currency: "EUR", amount: "1050", title: "Order 1001" };
    const work = Array.from({ length: 40 }, async (_, index) => {
      const made = await call("POST", "/payment-links", {
        key: merchant.key,
        body,
        headers: { "Idempotency-Key": `order-${index % 20}` },
      });
      if (made.status === 409) return 409; // the other request with this key is being served
      const { json } = await get(`/payment-links/${made.json.data._id}`);
      return [made.status, json.data.title, (await get("/payment-links")).status].join();
    });
    const outcomes = new Set(await Promise.all(work));
    outcomes.delete(409);
    expect([...outcomes]).toEqual(["200,Order 1001,200"]);
    expect(await db.paymentLink.count()).toBe(20);
  });

  it("takes payments, and the worker delivers what they caused", async () => {
    await createEndpoint(merchant, receiver.url);
    const link = await create(merchant.key, "payment_links");
    await payAt(`/pay?id=${link}`);
    expect((await get(`/payment-links/${link}`)).json.data.paid).toBe(true);
    await until("the event", () => receiver.received.find(({ body }) => body.includes("payment_link.paid")));
    await until("the sandbox's callbacks", async () => (await db.sandboxCallback.count()) === 0);
  });

  it("warns of the pooler's sessions that are older than the limits, until it reconnects", async () => {
    const lacking =
      "Sessions behind the pooler have no idle_in_transaction_session_timeout, lock_timeout, statement_timeout";
    expect(output).toContain("The pooler has sessions without time limits");
    const console = new Client({ connectionString: pooler.url.replace(/\/\w+$/, "/pgbouncer") });
    await console.connect();
    await console.query("RECONNECT");
    await console.end();
    await until("no old session", async () => !(await examine()).includes(lacking));
    expect(await examine()).toEqual(["A pooler in transaction mode is between Paydesk's web processes and PostgreSQL"]);
  });

  it("has the limits in every session of the pooler, and keeps them while a table is locked", async () => {
    await withEverySession(async (client) => expect(await missingLimits(client)).toEqual([]));
    const locker = new Client({ connectionString: ownerUrl(direct) });
    await locker.connect();
    await locker.query("BEGIN; LOCK TABLE payment_link");
    const ended = new Set<number>();
    for (const round of [1, 2, 3]) {
      const started = performance.now();
      const asked = Array.from({ length: 30 }, (_, index) =>
        index % 2
          ? get("/payment-links")
          : call("POST", "/payment-links", { key: merchant.key, body: linkBody(round) }),
      );
      for (const { status } of await Promise.all(asked)) ended.add(status);
      expect(performance.now() - started).toBeLessThan(30_000);
    }
    expect([...ended]).toEqual([503]);
    await locker.query("COMMIT");
    await locker.end();
    await until("the web process to be ready", async () => (await fetch(`${web.url}/readyz`)).ok);
    await withEverySession(async (client) => {
      const { rows } = await client.query("SELECT name, setting FROM pg_settings WHERE name = ANY($1)", [
        Object.keys(connectionLimits),
      ]);
      expect(Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]))).toEqual(connectionLimits);
    });
  });

  it("holds the lock of a connection to a gateway past the pooler, and releases it", async () => {
    const connect = () =>
      call("POST", "/gateway-accounts", { key: merchant.key, body: { secret_key: stripe.account("test").secretKey } });
    const other = new Client({ connectionString: direct });
    await other.connect();
    await other.query("SELECT pg_advisory_lock(1918283741, $1)", [merchant.businessId]);
    expect((await connect()).text).toContain("is being connected already");
    await other.query("SELECT pg_advisory_unlock_all()");
    const replies = await Promise.all([connect(), connect(), connect()]);
    expect(replies.map(({ status }) => status)).toContain(200);
    const { rows } = await other.query(
      "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 1918283741 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    );
    await other.end();
    expect(rows).toEqual([]);
  });

  it("lets the doctor find a pooler's address in place of PostgreSQL's own", async () => {
    const alias = pooler.url.replace("127.0.0.1", "localhost");
    expect(await examine({ DATABASE_URL_DIRECT: alias })).toContain(
      "DATABASE_URL_DIRECT leads to a pooler in transaction mode",
    );
    expect(
      await examine({ DATABASE_URL: direct, DATABASE_URL_DIRECT: direct.replace("paydesk_app@", "paydesk_app:@") }),
    ).toEqual(["DATABASE_URL_DIRECT is set, but no pooler is between Paydesk and PostgreSQL"]);
  });
});

const linkBody = (round: number) => ({
  email: "ada@example.com",
  currency: "EUR",
  amount: "1050",
  title: `Round ${round}`,
});
