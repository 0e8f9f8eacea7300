import { beforeEach, describe, expect, it } from "vitest";
import { removeSecondFactors } from "@/lib/auth/two-factor";
import { db } from "@/lib/core/db";
import { makeAuthenticator, type Options } from "@/tests/support/authenticator";
import { createKey, createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { plantSession } from "@/tests/support/session";
import { callAs, createStaff, forgetConfirmation, type Staff, signedIn } from "@/tests/support/sign-in";

type Person = Staff & { cookie: string };

let merchant: Merchant;
let ada: Person;
beforeEach(async () => {
  merchant = await createMerchant();
  ada = await signedIn(merchant);
});

const require = (person: Person, two_factor_required = true) =>
  callAs(person.cookie, "PUT", "/settings", { two_factor_required });

/** A session that starts now. */
async function enter(staff: Staff): Promise<Person> {
  const { name, value } = await plantSession(staff.userId, merchant.businessId);
  return { ...staff, cookie: `${name}=${value}` };
}

async function addPasskey(person: Person): Promise<string> {
  const begun = (await callAs(person.cookie, "POST", "/account/passkeys/options")).json.data;
  const passkey = makeAuthenticator(person.userId).create((begun as unknown as { options: Options }).options);
  const added = await callAs(person.cookie, "POST", "/account/passkeys", { name: "MacBook", passkey });
  expect(added.status, added.text).toBe(200);
  return added.json.data._id;
}

const read = async ({ cookie }: Person) => (await callAs(cookie, "GET", "/payment-links")).json.code ?? "in";

describe("two-factor sign-in can be required", () => {
  it("by an owner who has a second factor, after a confirmation", async () => {
    expect((await require(ada)).json.code).toBe("own_two_factor_needed");
    const admin = await signedIn(merchant, "admin");
    await addPasskey(admin);
    expect((await require(admin)).json.code).toBe("forbidden");
    const key = await createKey(merchant, ["settings:write"]);
    expect((await call("PUT", "/settings", { key, body: { two_factor_required: false } })).status).toBe(403);
    await addPasskey(ada);
    await forgetConfirmation(ada.userId);
    expect((await require(ada)).json.code).toBe("confirmation_required");
    expect((await callAs(ada.cookie, "GET", "/settings")).json.data).toMatchObject({ two_factor_required: false });
    ada = await enter(ada);
    expect((await require(ada)).json.data).toMatchObject({ two_factor_required: true });
    const [entry] = (await callAs(ada.cookie, "GET", "/audit-log")).json.data;
    expect(entry).toMatchObject({ action: "settings.changed", after: { two_factor_required: true } });
  });

  it("of sessions that start later; they reach only the person's own account until a factor is set up", async () => {
    const grace = await signedIn(merchant, "developer");
    await addPasskey(ada);
    expect((await require(ada)).status).toBe(200);
    expect(await read(grace)).toBe("in");
    const later = await enter(grace);
    expect(await read(later)).toBe("two_factor_required");
    const link = { email: "ada@example.com", currency: "EUR", amount: "1050", title: "Order 1001" };
    expect((await callAs(later.cookie, "POST", "/payment-links", link)).status).toBe(403);
    expect((await callAs(later.cookie, "GET", "/team/members")).status).toBe(403);
    expect((await callAs(later.cookie, "GET", "/notifications")).json.code).toBe("two_factor_required");
    expect((await callAs(later.cookie, "GET", "/account")).status).toBe(200);
    const page = (path: string) =>
      fetch(`${baseUrl()}${path}`, { headers: { Cookie: later.cookie }, redirect: "manual" });
    for (const path of ["/", "/payment-links", "/account", "/developers/keys"]) {
      const reply = await page(path);
      expect([path, reply.status, reply.headers.get("location")]).toEqual([path, 307, "/two-factor"]);
    }
    expect((await page("/two-factor")).status).toBe(200);
    await addPasskey(later);
    expect(await read(later)).toBe("in");
    expect((await page("/payment-links")).status).toBe(200);
    expect(await read(await enter(grace))).toBe("in");
    expect((await call("GET", "/payment-links", { key: merchant.key })).status).toBe(200);
  });

  it("in one business, and not in the person's others", async () => {
    const other = await createMerchant("Another shop");
    const grace = await createStaff(merchant, "viewer");
    await db.membership.create({ data: { business_id: other.businessId, user_id: grace.userId, role: "viewer" } });
    await addPasskey(ada);
    await require(ada);
    const { cookie } = await enter(grace);
    const switchTo = async (id: number) => (await callAs(cookie, "POST", `/account/businesses/${id}/switch`)).status;
    expect(await switchTo(other.businessId)).toBe(200);
    expect((await callAs(cookie, "GET", "/payment-links")).status).toBe(200);
    expect(await switchTo(merchant.businessId)).toBe(200);
    expect((await callAs(cookie, "GET", "/payment-links")).json.code).toBe("two_factor_required");
  });

  it("so that the last factor stays, and the operator can still let an owner in again", async () => {
    const id = await addPasskey(ada);
    await require(ada);
    const remove = () => callAs(ada.cookie, "DELETE", `/account/passkeys/${id}`);
    expect((await remove()).json.code).toBe("two_factor_needed");
    const second = await addPasskey(ada);
    expect((await remove()).status).toBe(200);
    expect((await callAs(ada.cookie, "DELETE", `/account/passkeys/${second}`)).json.code).toBe("two_factor_needed");
    expect(await db.passkey.count({ where: { user_id: ada.userId } })).toBe(1);
    await removeSecondFactors(db, ada.userId);
    const again = await enter(ada);
    expect(await read(again)).toBe("two_factor_required");
    await addPasskey(again);
    expect(await read(again)).toBe("in");
    expect((await require(again, false)).json.data).toMatchObject({ two_factor_required: false });
    expect(await read(await enter(await createStaff(merchant)))).toBe("in");
  });
});
