import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hashToken, newToken } from "@/lib/auth/token";
import { db } from "@/lib/core/db";
import { disconnect } from "@/lib/core/disconnect";
import { newId } from "@/lib/core/id";
import { unsubscribeLink } from "@/lib/outbox/notifications/unsubscribe";
import { payAt, saveCardAt } from "@/tests/support/checkout";
import { command } from "@/tests/support/command";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { freePort, type Launched, launch } from "@/tests/support/launch";
import { createDatabase } from "@/tests/support/postgres";
import { type Receiver, startReceiver, until } from "@/tests/support/receiver";
import { create } from "@/tests/support/samples";
import { attemptSignIn, callAs, type Staff, signedIn } from "@/tests/support/sign-in";
import { startSmtp } from "@/tests/support/smtp";
import { startStripeFake } from "@/tests/support/stripe/fake";
import { pageAtStripe } from "@/tests/support/stripe-merchant";
import { createEndpoint, createLinkEvent } from "@/tests/support/webhooks";

// One database through a rotation of APP_SECRET, as docs/operations.md describes it. Each test goes on where the one before ended.

const [before, after] = [1, 2].map(() => randomBytes(32).toString("base64url")) as [string, string];
let settings: Record<string, string>;
let server: Launched;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
let stripe: Awaited<ReturnType<typeof startStripeFake>>;
let receiver: Receiver;
let folder: string;
let merchant: Merchant;
let atStripe: Merchant;
let owner: Staff & { cookie: string };
let app: TOTP;
let codes: string[];
let secret: string;
let tokenization: { _id: string; token: string };
let invited: string;
let stored: string;

const keyed = { "Idempotency-Key": "rotation" };
const createKeyTwice = () =>
  call("POST", "/tokenizations/create-token", {
    key: merchant.key,
    body: { email: "ada@example.com", title: "Card", description: "For later" },
    headers: keyed,
  });

async function start(secrets: Record<string, string>): Promise<void> {
  server = await launch({ ...settings, ...secrets }, () => ["dist/main.mjs"]);
  process.env.TEST_URL = server.url;
}

beforeAll(async () => {
  let DATABASE_URL: string;
  [DATABASE_URL, smtp, stripe, receiver] = await Promise.all([
    createDatabase(),
    startSmtp(),
    startStripeFake(),
    startReceiver(),
  ]);
  folder = mkdtempSync(join(tmpdir(), "paydesk-rotation-"));
  const port = String(await freePort());
  settings = {
    ...{ DATABASE_URL, PORT: port, DATA_DIR: folder, SMTP_URL: smtp.url, MAIL_FROM: "desk@paydesk.example" },
    ...{ STRIPE_API_URL: stripe.url, WEBHOOKS_ALLOW_LOCALHOST: "1", TRUST_PROXY: "1" },
  };
  Object.assign(process.env, settings, { APP_SECRET: before, APP_URL: `http://localhost:${port}` });
  await start({ APP_SECRET: before });
  [merchant, atStripe] = await Promise.all([createMerchant(), createMerchant()]);
  owner = await signedIn(merchant);
});
afterAll(async () => {
  await server?.stop();
  await disconnect();
  await Promise.all([smtp?.stop(), stripe?.close(), receiver?.stop()]);
  rmSync(folder, { recursive: true });
});

/** Everything that opens only with the APP_SECRET that encrypted it. */
async function expectEverythingToOpen(step: number): Promise<void> {
  const shown = await call("GET", `/tokenizations/${tokenization._id}`, { key: merchant.key });
  expect(shown.json.data.token).toBe(tokenization.token);
  expect((await fetch(`${server.url}/activate/${tokenization.token}`)).status).toBe(200);
  const { title } = await createLinkEvent(merchant, `Order ${step}`);
  const delivered = await until("the delivery", () =>
    receiver.received.find(({ body }) => body.includes(`"${title}"`)),
  );
  expect(receiver.verify(secret, delivered)).toHaveProperty("data");
  const link = await create(atStripe.key, "payment_links");
  expect((await payAt(`/pay?id=${link}`)).location).toContain("go=1");
  expect(await pageAtStripe(`/pay?id=${link}&wait=1&go=1`)).toContain(stripe.url);
  const ticket = /^CodeNeeded\.(.+)$/.exec((await attemptSignIn(owner)).error ?? "")?.[1] ?? "";
  await db.user.update({ where: { id: owner.userId }, data: { two_factor_step: null } }); // a code works once
  expect((await attemptSignIn({ ticket, code: app.generate() })).cookie, `the app's code ${step}`).not.toBeNull();
  expect((await attemptSignIn({ ticket, code: codes[step] ?? "" })).cookie, "a recovery code").not.toBeNull();
}

const sealedValues = async (): Promise<string[]> => {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT quote_ident(relname) AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'idempotency_key'`;
  const texts = await Promise.all(
    tables.map(({ name }) => db.$queryRawUnsafe<{ row: string }[]>(`SELECT to_jsonb(t)::text AS row FROM ${name} t`)),
  );
  return texts.flat().flatMap(({ row }) => row.match(/v1\.[\w-]{38,}/g) ?? []);
};

it("encrypts what it stores", async () => {
  const begun = await callAs(owner.cookie, "POST", "/account/two-factor", { password: owner.password });
  app = new TOTP({ secret: Secret.fromBase32(String(begun.json.data.secret)), period: 30, digits: 6 });
  const confirmed = await callAs(owner.cookie, "PUT", "/account/two-factor", { code: app.generate() });
  codes = confirmed.json.data.recovery_codes as string[];
  secret = (await createEndpoint(merchant, receiver.url)).secret;
  const connect = { secret_key: stripe.account().secretKey };
  expect((await call("POST", "/gateway-accounts", { key: atStripe.key, body: connect })).status).toBe(200);
  const reply = await createKeyTwice();
  tokenization = reply.json.data;
  stored = reply.text;
  await saveCardAt(`/activate/${tokenization.token}`);
  await expectEverythingToOpen(0);
  smtp.behaviour.data = () => ({ code: 451, text: "later" });
  const sent = await callAs(owner.cookie, "POST", "/team/invitations", { email: "grace@example.com", role: "viewer" });
  invited = sent.json.data._id;
  await until("a mail that waits", () =>
    db.email.findFirst({ where: { template: "invitation", status: "queued", last_error: { not: null } } }),
  );
  await server.stop();
});

it("opens everything while APP_SECRET_PREVIOUS is the old secret, both from files", async () => {
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), `${content}\n`);
    return join(folder, name);
  };
  const { DATABASE_URL, ...others } = settings;
  settings = { ...others, DATABASE_URL_FILE: file("database", DATABASE_URL ?? "") };
  await start({ APP_SECRET_FILE: file("new", after), APP_SECRET_PREVIOUS_FILE: file("old", before) });
  settings = { ...others, DATABASE_URL: DATABASE_URL ?? "" };
  expect((await callAs(owner.cookie, "GET", "/account")).status).toBe(200);
  await expectEverythingToOpen(1);
  const replayed = await createKeyTwice();
  expect([replayed.text, replayed.headers.get("idempotency-replayed")]).toEqual([stored, "true"]);
});

it("encrypts everything anew with npm run reseal, which changes nothing else", async () => {
  const old = new Set(await sealedValues());
  expect(old.size).toBeGreaterThanOrEqual(5);
  const rows = () =>
    Promise.all([
      db.tokenization.findUniqueOrThrow({ where: { id: tokenization._id }, omit: { sealed_token: true } }),
      db.webhookEndpoint.findFirstOrThrow({ omit: { secret: true } }),
      db.gatewayAccount.findFirstOrThrow({ select: { updated_at: true } }),
      db.user.findUniqueOrThrow({ where: { id: owner.userId }, omit: { two_factor_secret: true } }),
    ]);
  const untouched = await rows();
  const env = { APP_SECRET: after, APP_SECRET_PREVIOUS: before };
  const first = await command("reseal", [], { env });
  expect([first.code, first.stderr]).toEqual([0, ""]);
  expect(first.stdout).toContain("unsubscribe links");
  expect(first.stdout).toMatch(/^1 keys of gateway accounts encrypted anew\n1 webhook secrets/);
  expect((await sealedValues()).filter((value) => old.has(value))).toEqual([]);
  expect(await rows()).toEqual(untouched);
  const again = await command("reseal", [], { env });
  expect(again.stdout.match(/^0 /gm)).toHaveLength(6);
  const wrong = await command("reseal", [], { env: { APP_SECRET: before } });
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain(`${tokenization._id} (tokens of tokenizations)`);
});

it("needs the old secret then only for sessions, Idempotency-Keys and unsubscribe links", async () => {
  const whom = { businessId: merchant.businessId, livemode: false, email: owner.email };
  const { pathname } = new URL(unsubscribeLink({ ...whom, kinds: ["digest"] })); // this process has the old secret
  expect((await fetch(`${server.url}${pathname}`)).status).toBe(200);
  await server.stop();
  await start({ APP_SECRET: after });
  expect((await fetch(`${server.url}${pathname}`)).status).toBe(404);
  expect((await callAs(owner.cookie, "GET", "/account")).status).toBe(401);
  await expectEverythingToOpen(2);
  expect((await createKeyTwice()).json.code).toBe("idempotency_key_reused");
  smtp.behaviour.data = undefined;
  await db.email.updateMany({ where: { template: "invitation" }, data: { next_attempt_at: new Date() } });
  const mail = await until("the invitation", () => smtp.delivered.find(({ to }) => to.includes("grace@example.com")));
  const token = /\/invitation\/([\w-]{43})/.exec(mail.mail.text ?? "")?.[1] ?? "";
  expect(await db.invitation.findUniqueOrThrow({ where: { id: invited } })).toMatchObject({
    token_hash: hashToken(token),
  });
});

it("encrypts tokens and hashes recovery codes that are stored as they were before decision 44", async () => {
  const [old, { token }] = [newId("tkn"), newToken()];
  const at = new Date(Date.now() - 3_600_000);
  const row = { business_id: merchant.businessId, livemode: false, email: "ada@example.com", title: "Card" };
  const times = { expires_at: new Date(at.getTime() + 86_400_000), created_at: at, updated_at: at };
  await db.tokenization.create({ data: { id: old, ...row, description: "For later", token, ...times } });
  const shown = async () => (await call("GET", `/tokenizations/${old}`, { key: merchant.key })).json.data;
  expect((await shown()).token).toBe(token);
  expect((await saveCardAt(`/activate/${token}`)).status).toBe(303);
  const code = "0000-1111-2222-3333";
  await db.recoveryCode.deleteMany({ where: { user_id: owner.userId } }); // a person's codes are all of one version
  await db.recoveryCode.createMany({ data: [{ user_id: owner.userId, hash: hashToken(code.replaceAll("-", "")) }] });
  const { updated_at } = await shown();

  await server.stop();
  await start({ APP_SECRET: after }); // the job runs after a start
  const sealed = await until("the job", () => db.tokenization.findFirst({ where: { id: old, token: null } }));
  expect(sealed).toMatchObject({ token_hash: hashToken(token), sealed_token: expect.stringMatching(/^v1\./) });
  expect(await shown()).toMatchObject({ token, updated_at });
  await until(
    "the job",
    async () => (await db.recoveryCode.count({ where: { hash: { not: { startsWith: "$" } } } })) === 0,
  );
  const ticket = /^CodeNeeded\.(.+)$/.exec((await attemptSignIn(owner)).error ?? "")?.[1] ?? "";
  expect((await attemptSignIn({ ticket, code })).cookie).not.toBeNull();
});

it("shows tokenizations without their tokens if the secret is lost, and still accepts the tokens", async () => {
  await server.stop();
  await start({ APP_SECRET: randomBytes(32).toString("base64url") });
  const list = await call("GET", "/tokenizations", { key: merchant.key });
  expect([list.status, list.json.data.every(({ token, activation_url }) => !token && !activation_url)]).toEqual([
    200,
    true,
  ]);
  expect((await fetch(`${server.url}/activate/${tokenization.token}`)).status).toBe(200);
});
