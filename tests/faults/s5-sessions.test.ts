import { afterAll, beforeAll } from "vitest";
import { db } from "@/lib/core/db";
import { createPasswordReset } from "@/lib/resources/registrations/service";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { attemptSignIn, callAs, signedIn, signIn } from "@/tests/support/sign-in";
import { fault, full, type Outcome } from "./fault";
import { type Rig, startRig } from "./rig";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig?.stop());

type Person = Awaited<ReturnType<typeof signedIn>>;
interface Scene {
  merchant: Merchant;
  owner: Person;
  person: Person;
  session: string;
}

const next = "six quiet rivers past the mill";
const moved = (ms: number) => new Date(Date.now() + ms);

/** Every action that ends a session. */
const endings: Record<string, (scene: Scene) => Promise<unknown>> = {
  "signed out": async ({ person }) => {
    const csrf = await fetch(`${baseUrl()}/api/auth/csrf`, { headers: { Cookie: person.cookie } });
    const { csrfToken } = (await csrf.json()) as { csrfToken: string };
    const csrfCookies = csrf.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
    await fetch(`${baseUrl()}/api/auth/signout`, {
      method: "POST",
      redirect: "manual",
      headers: { Cookie: [person.cookie, ...csrfCookies].join("; "), Origin: baseUrl() },
      body: new URLSearchParams({ csrfToken, json: "true" }),
    });
  },
  "password changed": async ({ person }) => {
    const elsewhere = (await signIn(person)) ?? "";
    const body = { current_password: person.password, password: next };
    await callAs(elsewhere, "PUT", "/account/password", body);
  },
  "password reset": async ({ person }) => {
    const token = (await createPasswordReset(db, person.userId)).url.split("/").at(-1);
    await call("PUT", "/password-resets", { body: { token, password: next }, headers: { Origin: baseUrl() } });
  },
  "role changed": ({ owner, person }) =>
    callAs(owner.cookie, "PUT", `/team/members/${person.userId}`, { role: "viewer" }),
  removed: ({ owner, person }) => callAs(owner.cookie, "DELETE", `/team/members/${person.userId}`),
  left: ({ person, merchant }) => callAs(person.cookie, "DELETE", `/account/businesses/${merchant.businessId}`),
  "ended in the list": async ({ person, session }) => {
    const elsewhere = (await signIn(person)) ?? "";
    await callAs(elsewhere, "DELETE", `/account/sessions/${session}`);
  },
  "signed out everywhere": async ({ person }) => {
    const elsewhere = (await signIn(person)) ?? "";
    await callAs(elsewhere, "DELETE", "/account/sessions");
  },
  "ended by an owner": ({ owner, person }) => callAs(owner.cookie, "DELETE", `/team/members/${person.userId}/sessions`),
  "signed in again": async ({ person }) => attemptSignIn(person, { cookie: person.cookie }),
  "idle for 30 minutes": ({ session }) =>
    db.session.update({ where: { id: session }, data: { last_seen_at: moved(-30 * 60_000 - 1_000) } }),
  "12 hours old": ({ session }) => db.session.update({ where: { id: session }, data: { expires_at: moved(-1) } }),
};

async function run(times: number): Promise<Outcome> {
  const wrong: Record<string, number> = {};
  const note = (what: string, isWrong: boolean) => {
    wrong[what] = (wrong[what] ?? 0) + (isWrong ? 1 : 0);
  };
  const merchant = await createMerchant();
  const owner = await signedIn(merchant);
  for (const [what, end] of Object.entries(endings)) {
    for (let i = 0; i < times; i++) {
      const person = await signedIn(merchant, "admin");
      const { id } = await db.session.findFirstOrThrow({ where: { user_id: person.userId } });
      const status = async () => (await callAs(person.cookie, "GET", "/payment-links")).status;
      note("dead before", (await status()) !== 200);
      await end({ merchant, owner, person, session: id });
      const page = await fetch(`${baseUrl()}/payment-links`, {
        headers: { Cookie: person.cookie },
        redirect: "manual",
      });
      note(`alive after: ${what}`, (await status()) !== 401 || page.status !== 307);
    }
  }
  return { done: `${Object.keys(endings).length} endings, ${times} times each`, wrong };
}

const sessionFile = "lib/auth/session.ts";

fault({
  id: "S5",
  title: "a stolen session",
  minutes: 4,
  run: () => run(full ? 25 : 1),
  control: {
    without: "the session's expiry, and its end with a password or role change",
    mutations: [
      { file: sessionFile, find: "expiresAt.getTime() <= now", replace: "false" },
      { file: sessionFile, find: "now - idleSince > env().SESSION_IDLE_MINUTES * 60_000", replace: "false" },
      {
        file: "lib/resources/account/service.ts",
        find: "await tx.session.deleteMany({ where: { user_id: userId, id: { not: sessionId } } });",
        replace: "",
      },
      {
        file: "lib/resources/registrations/service.ts",
        find: "await tx.session.deleteMany({ where: { user_id: user.id } });",
        replace: "",
      },
      {
        file: "lib/resources/team/members.ts",
        find: "const { count: ended } = await tx.session.deleteMany({ where: { user_id: id, business_id } });",
        replace: "const ended = 0;",
      },
      {
        file: "lib/resources/team/members.ts",
        find: "await tx.session.deleteMany({ where: { business_id, user_id: id } });",
        replace: "",
      },
    ],
    // "signed in again" runs in the pages' process, which is not of the weakened build.
    finds: [
      ...["12 hours old", "idle for 30 minutes", "password changed", "password reset", "role changed"],
      "ended by an owner",
    ].map((what) => `alive after: ${what}`),
    run: async (mutations) => {
      await rig.weaken("s5", mutations);
      return run(1);
    },
  },
});
