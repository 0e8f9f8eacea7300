import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { roles } from "@/lib/auth/scopes";
import { db } from "@/lib/core/db";
import { renewLinks } from "@/lib/resources/team/invitations";
import { command } from "@/tests/support/command";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { idMadeAt } from "@/tests/support/id-made-at";
import { asOwner } from "@/tests/support/postgres";
import { callAs, createStaff, signedIn, signIn } from "@/tests/support/sign-in";

const password = "correct horse battery staple";
const someone = () => `grace-${randomUUID()}@example.com`;

let merchant: Merchant;
let owner: Awaited<ReturnType<typeof signedIn>>;
beforeEach(async () => {
  merchant = await createMerchant();
  owner = await signedIn(merchant);
});

const invite = (email: string, role = "developer", cookie = owner.cookie) =>
  callAs(cookie, "POST", "/team/invitations", { email, role });
/** The token of a new link, as the operator prints it: the one in the mail is stored nowhere. */
const tokenFor = async (email: string) => (await renewLinks(db, email)).at(-1)?.url.split("/").at(-1) ?? "";
const accept = (token: string, body: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  call("POST", "/invitations/accept", { body: { token, ...body }, headers: { Origin: baseUrl(), ...headers } });
const roleOf = async (userId: string) =>
  (await db.membership.findFirst({ where: { business_id: merchant.businessId, user_id: userId } }))?.role ?? null;

describe("while a removal commits, the person's own request", () => {
  it.each([
    ["/team/invitations", { email: someone(), role: "admin" }],
    ["/api-keys", { name: "Mine", scopes: ["read"] }],
  ])("POST %s creates nothing that outlives it", async (path, body) => {
    const admin = await signedIn(merchant, "admin");
    const mine = { business_id: merchant.businessId };
    const { of } = await db.$transaction(async (tx) => {
      await tx.membership.deleteMany({ where: { ...mine, user_id: admin.userId } });
      const pending = callAs(admin.cookie, "POST", path, body);
      await Promise.race([pending, sleep(500)]); // it waits for this transaction
      return { of: pending };
    });
    expect([401, 403]).toContain((await of).status);
    expect(await db.invitation.count({ where: mine })).toBe(0);
    expect(await db.apiKey.count({ where: { ...mine, created_by: admin.userId } })).toBe(0);
  });

  it("invites nobody above the role that it has got meanwhile", async () => {
    const admin = await signedIn(merchant, "admin");
    const { of } = await db.$transaction(async (tx) => {
      const where = { business_id: merchant.businessId, user_id: admin.userId };
      await tx.membership.updateMany({ where, data: { role: "viewer" } });
      const pending = invite(someone(), "developer", admin.cookie);
      await Promise.race([pending, sleep(500)]);
      return { of: pending };
    });
    expect((await of).status).toBe(403);
  });
});

describe("invitations", () => {
  it("make a new person a member once, with an encrypted mail", async () => {
    const email = someone();
    const sent = await invite(email.replace("grace", "Grace"), "support");
    expect(sent.status, sent.text).toBe(200);
    const shown = sent.json.data;
    expect(sent.text).not.toContain("/invitation/");
    expect(shown).toMatchObject({ email, role: "support", status: "open" });
    expect(Date.parse(shown.expires_at) - Date.now()).toBeGreaterThan(7 * 86_400_000 - 60_000);
    const mail = await db.email.findFirstOrThrow({ where: { business_id: merchant.businessId, to: email } });
    expect(mail.template).toBe("invitation");
    expect(JSON.stringify(mail)).not.toContain("/invitation/");
    const token = await tokenFor(email);
    const [row] = await db.$queryRaw<{ all: string }[]>`
      SELECT to_jsonb(i)::text AS all FROM invitation i WHERE id = ${shown._id}`;
    expect(row?.all).not.toContain(token);

    expect((await accept(token)).json.errors).toEqual({
      name: ["The name field is required."],
      password: ["The password field is required."],
    });
    const weak = await accept(token, { name: "Grace", password: "passwordpassword" });
    expect(weak.json.errors.password?.[0]).toContain("too easy to guess");
    const both = await Promise.all([1, 2].map(() => accept(token, { name: "Grace Hopper", password })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const cookie = (await signIn({ email, password })) ?? "";
    expect((await callAs(cookie, "GET", "/account")).json.data).toMatchObject({ role: "support", email });
    expect((await accept(token, { name: "Grace", password })).json.code).toBe("invitation_not_open");
    const { data } = (await callAs(owner.cookie, "GET", "/team/invitations")).json;
    expect(data[0]).toMatchObject({ status: "accepted" });
  });

  it("add a person of another business, who is signed in or reads the mailbox", async () => {
    const elsewhere = await createMerchant("Another shop");
    const grace = await signedIn(elsewhere);
    await invite(grace.email);
    const first = await tokenFor(grace.email);
    expect((await accept(first, {}, { Cookie: owner.cookie })).status).toBe(422); // another person's session
    expect((await accept(first, {}, { Cookie: grace.cookie, Origin: "https://evil.example" })).status).toBe(403);
    expect(await roleOf(grace.userId)).toBeNull();
    expect((await accept(first, {}, { Cookie: grace.cookie })).status).toBe(200);
    expect(await roleOf(grace.userId)).toBe("developer");
    const second = await createStaff(elsewhere);
    await invite(second.email, "viewer");
    expect((await accept(await tokenFor(second.email), { password, name: "Not theirs" })).status).toBe(200);
    expect(await roleOf(second.userId)).toBe("viewer");
    expect((await db.user.findUniqueOrThrow({ where: { id: second.userId } })).name).toBe("Grace Hopper");
    expect(await signIn(second), "the account keeps its password").not.toBeNull();
  });

  it("do not tell whether the address has an account", async () => {
    const emails = [(await createStaff(await createMerchant())).email, someone()];
    for (const email of emails) await invite(email);
    const replies = async (body: Record<string, unknown>) =>
      Promise.all(
        emails.map(async (email) => {
          const { status, json } = await accept(await tokenFor(email), body);
          const data = json.data && { ...json.data, _id: String(json.data._id).slice(0, 4), email: "" };
          return JSON.stringify([status, json.errors, data]);
        }),
      );
    for (const body of [
      {},
      { name: "Grace" },
      { name: "Grace", password: "short" },
      { password: "passwordpassword" },
    ]) {
      const [known, unknown] = await replies(body);
      expect(known).toBe(unknown);
      expect(known).toMatch(/^\[422,/);
    }
    const [known, unknown] = await replies({ name: "Grace", password: "six quiet rivers past the mill" });
    expect(known).toBe(unknown);
    expect(known).toMatch(/^\[200,/);
  });

  it("can be withdrawn, sent again with a new link, and expire", async () => {
    const email = someone();
    const sent = (await invite(email)).json.data;
    expect((await invite(email)).json.code).toBe("already_invited");
    const first = await tokenFor(email);
    const again = await callAs(owner.cookie, "POST", `/team/invitations/${sent._id}/resend`);
    expect(again.status).toBe(200);
    expect((await accept(first, { name: "Grace", password })).status).toBe(409);
    const second = await tokenFor(email);
    const withdrawn = await callAs(owner.cookie, "DELETE", `/team/invitations/${sent._id}`);
    expect(withdrawn.json.data.status).toBe("withdrawn");
    expect((await accept(second, { name: "Grace", password })).status).toBe(409);
    expect((await callAs(owner.cookie, "POST", `/team/invitations/${sent._id}/resend`)).status).toBe(409);
    const next = (await invite(email)).json.data;
    const last = await tokenFor(email);
    await db.invitation.update({ where: { id: next._id }, data: { expires_at: new Date() } });
    expect((await accept(last, { name: "Grace", password })).status).toBe(409);
    expect((await invite(email)).status).toBe(200);
    expect((await invite(owner.email)).json.code).toBe("already_member");
  });

  it("reach an address at most ten times a day over all businesses, and say when the next is possible", async () => {
    const email = someone();
    const elsewhere = await signedIn(await createMerchant("Another shop"));
    const first = (await invite(email)).json.data._id;
    const theirs = (await invite(email.toUpperCase(), "viewer", elsewhere.cookie)).json.data._id;
    const resend = (n: number) =>
      n % 2
        ? callAs(owner.cookie, "POST", `/team/invitations/${first}/resend`)
        : callAs(elsewhere.cookie, "POST", `/team/invitations/${theirs}/resend`);
    const replies = [];
    // Four at once: more of them wait for each other's locks for longer than a second on a busy machine.
    for (let round = 0; round < 3; round++) replies.push(...(await Promise.all([0, 1, 2, 3].map(resend))));
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(8).fill(200), ...Array(4).fill(429)]);
    const refused = replies.find(({ status }) => status === 429);
    expect(refused?.json).toEqual({ message: "Too Many Attempts.", code: "too_many_attempts" });
    const wait = Number(refused?.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(86_000);
    expect(wait).toBeLessThanOrEqual(86_400);
    expect((await callAs(owner.cookie, "DELETE", `/team/invitations/${first}`)).status).toBe(200);
    expect((await invite(email)).status).toBe(429);
    expect(await db.invitation.count({ where: { email } })).toBe(2);
    expect(await db.email.count({ where: { to: email } })).toBe(10);
    expect((await invite(someone())).status).toBe(200);
    const dayAgo = new Date(Date.now() - 86_400_000);
    for (const { id } of await db.email.findMany({ where: { to: email }, select: { id: true } }))
      await asOwner(`UPDATE email SET id = '${idMadeAt("eml", dayAgo)}' WHERE id = '${id}'`);
    expect((await invite(email)).status).toBe(200);
  });

  it("are printed by the operator's command where no mail server sends them", async () => {
    const email = someone();
    await invite(email, "support");
    const printed = await command("invitation-link", ["--email", email.toUpperCase()]);
    expect(printed.stdout.trim()).toMatch(/^http:\/\/localhost:\d+\/invitation\/[\w-]{43}$/);
    expect(printed.stderr).toContain("Blue Bottle Books, support:");
    const token = printed.stdout.trim().split("/").at(-1) ?? "";
    expect((await accept(token, { name: "Grace", password })).status).toBe(200);
    const none = await command("invitation-link", ["--email", email]);
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("is pending")]);
  });

  it("come from owners and admins, and only owners invite owners", async () => {
    const may = { owner: roles, admin: roles.filter((role) => role !== "owner") } as Record<string, readonly string[]>;
    for (const role of roles) {
      const { cookie } = role === "owner" ? owner : await signedIn(merchant, role);
      for (const wanted of roles) {
        const reply = await invite(someone(), wanted, cookie);
        expect([role, wanted, reply.status]).toEqual([role, wanted, may[role]?.includes(wanted) ? 200 : 403]);
      }
    }
  });
});

describe("members", () => {
  it("are visible to the whole team", async () => {
    const viewer = await signedIn(merchant, "viewer");
    const { data } = (await callAs(viewer.cookie, "GET", "/team/members")).json;
    expect(data.map(({ _id, role }) => [_id, role])).toEqual([
      [viewer.userId, "viewer"],
      [owner.userId, "owner"],
    ]);
    const page = (await callAs(viewer.cookie, "GET", "/team/members?per_page=1")).json.meta;
    const rest = await callAs(viewer.cookie, "GET", `/team/members?per_page=1&cursor=${page.next_cursor}`);
    expect(rest.json.data.map(({ _id }) => _id)).toEqual([owner.userId]);
  });

  it("have their sessions in this business ended by those who may manage them", async () => {
    const grace = await signedIn(merchant, "admin");
    const elsewhere = await createMerchant("Another shop");
    await db.membership.create({ data: { business_id: elsewhere.businessId, user_id: grace.userId, role: "viewer" } });
    const there = (await signIn(grace)) ?? "";
    await callAs(there, "POST", `/account/businesses/${elsewhere.businessId}/switch`);
    const end = (cookie: string, id: string) => callAs(cookie, "DELETE", `/team/members/${id}/sessions`);
    const developer = await signedIn(merchant, "developer");
    expect((await end(developer.cookie, grace.userId)).status).toBe(403);
    expect((await end(grace.cookie, owner.userId)).status).toBe(403);
    const stranger = await signedIn(await createMerchant());
    expect((await end(stranger.cookie, grace.userId)).status).toBe(404);
    expect((await callAs(grace.cookie, "GET", "/payment-links")).status).toBe(200);
    expect((await end(owner.cookie, grace.userId)).json.data).toEqual({ _id: grace.userId, ended: 1 });
    expect((await callAs(grace.cookie, "GET", "/payment-links")).status).toBe(401);
    expect((await callAs(there, "GET", "/payment-links")).status, "another business's session").toBe(200);
    const back = () => callAs(there, "POST", `/account/businesses/${merchant.businessId}/switch`);
    expect((await back()).status, "an older session does not come back").toBe(401);
    const again = (await signIn(grace)) ?? "";
    expect((await callAs(again, "POST", `/account/businesses/${merchant.businessId}/switch`)).status).toBe(200);
    const { data } = (await callAs(owner.cookie, "GET", "/audit-log?action=team.sessions_ended")).json;
    expect(data).toMatchObject([{ resource_id: grace.userId, about: grace.email, after: { ended: 1 } }]);
  });

  it("lose their sessions in this business when their role changes, and keep others", async () => {
    const elsewhere = await createMerchant("Another shop");
    const grace = await signedIn(merchant, "admin");
    await db.membership.create({ data: { business_id: elsewhere.businessId, user_id: grace.userId, role: "viewer" } });
    const there = (await signIn(grace)) ?? "";
    expect((await callAs(there, "POST", `/account/businesses/${elsewhere.businessId}/switch`)).status).toBe(200);
    const changed = await callAs(owner.cookie, "PUT", `/team/members/${grace.userId}`, { role: "viewer" });
    expect(changed.json.data).toMatchObject({ role: "viewer" });
    expect((await callAs(grace.cookie, "GET", "/payment-links")).status).toBe(401);
    expect((await callAs(there, "GET", "/payment-links")).status).toBe(200);
    const back = (await signIn(grace)) ?? "";
    await callAs(back, "POST", `/account/businesses/${merchant.businessId}/switch`);
    const removed = await callAs(owner.cookie, "DELETE", `/team/members/${grace.userId}`);
    expect(removed.json.data).toMatchObject({ deleted: true });
    expect((await callAs(back, "GET", "/payment-links")).status).toBe(401);
    expect((await callAs(there, "GET", "/payment-links")).status).toBe(200);
    expect((await callAs(owner.cookie, "DELETE", `/team/members/${grace.userId}`)).status).toBe(404);
  });

  it("lose their pending invitations with their role, each with an entry in the audit log", async () => {
    const grace = await signedIn(merchant, "admin");
    const { _id } = (await invite(someone(), "viewer", grace.cookie)).json.data;
    expect((await callAs(owner.cookie, "PUT", `/team/members/${grace.userId}`, { role: "viewer" })).status).toBe(200);
    const { data } = (await callAs(owner.cookie, "GET", `/audit-log?resource_id=${_id}`)).json;
    expect(data).toMatchObject([
      { action: "team.invitation_withdrawn", actor: { id: owner.userId } },
      { action: "team.invited", actor: { id: grace.userId } },
    ]);
  });

  it("can be changed only by a role that may manage them", async () => {
    const admin = await signedIn(merchant, "admin");
    const grace = await createStaff(merchant, "viewer");
    const put = (id: string, role: string) => callAs(admin.cookie, "PUT", `/team/members/${id}`, { role });
    expect((await put(grace.userId, "owner")).status).toBe(403);
    expect((await put(owner.userId, "viewer")).status).toBe(403);
    expect((await callAs(admin.cookie, "DELETE", `/team/members/${owner.userId}`)).status).toBe(403);
    expect((await put(grace.userId, "support")).status).toBe(200);
    const stranger = await createStaff(await createMerchant("Another shop"));
    expect((await put(stranger.userId, "viewer")).text).toBe((await put(`usr_${"0".repeat(36)}`, "viewer")).text);
    expect((await call("GET", "/team/members", { key: merchant.key })).status).toBe(403);
  });

  it("always have an owner: the last one cannot leave or be demoted, even in a race", async () => {
    const leave = (cookie: string) => callAs(cookie, "DELETE", `/account/businesses/${merchant.businessId}`);
    expect((await callAs(owner.cookie, "PUT", `/team/members/${owner.userId}`, { role: "admin" })).json.code).toBe(
      "last_owner",
    );
    expect((await callAs(owner.cookie, "DELETE", `/team/members/${owner.userId}`)).json.code).toBe("last_owner");
    expect((await leave(owner.cookie)).json.code).toBe("last_owner");
    for (let round = 0; round < 12; round++) {
      const shop = await createMerchant("Two owners");
      const [ada, grace] = await Promise.all([signedIn(shop), signedIn(shop)]);
      const against = (one: typeof ada, other: typeof ada) =>
        [
          () => callAs(one.cookie, "PUT", `/team/members/${other.userId}`, { role: "viewer" }),
          () => callAs(one.cookie, "DELETE", `/team/members/${other.userId}`),
          () => callAs(one.cookie, "DELETE", `/account/businesses/${shop.businessId}`),
        ][round % 3];
      await Promise.all([against(ada, grace)?.(), against(grace, ada)?.()]);
      const owners = await db.membership.count({ where: { business_id: shop.businessId, role: "owner" } });
      expect([round, owners]).toEqual([round, 1]);
    }
  });
});

it("sends at most 50 invitations of a business in 24 hours", async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 51; i++) statuses.push((await invite(someone())).status);
  expect(statuses).toEqual([...Array(50).fill(200), 429]);
});
