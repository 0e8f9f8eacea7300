import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { callAs, signedIn } from "@/tests/support/sign-in";

type Person = Awaited<ReturnType<typeof signedIn>>;

let merchant: Merchant;
let ada: Person;
beforeEach(async () => {
  merchant = await createMerchant();
  ada = await signedIn(merchant);
});

const path = "/account/saved-views";
const unpaid = { list: "payment_links", name: "Unpaid over €500", query: "status=Active&amount_from=500" };

const save = (person: Person, over: Record<string, unknown> = {}) =>
  callAs(person.cookie, "POST", path, { ...unpaid, ...over });

async function saved(person: Person, over: Record<string, unknown> = {}): Promise<string> {
  const reply = await save(person, over);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data._id;
}

const namesOf = async (person: Person, query = "") =>
  (await callAs(person.cookie, "GET", `${path}${query}`)).json.data.map(({ name }) => name);

describe("a saved view", () => {
  it("keeps filters, order and columns in one order, without the place in the list", async () => {
    const query = "?status=Active&sort=created_at&columns=amount,email&cursor=abc&peek=pl_1&amount_from=500&view=all";
    const id = await saved(ada, { query });
    const { data } = (await callAs(ada.cookie, "GET", `${path}?list=payment_links`)).json;
    expect(data).toEqual([
      {
        ...{ _id: id, list: "payment_links", name: "Unpaid over €500", is_default: false },
        query: "amount_from=500&columns=amount%2Cemail&sort=created_at&status=Active",
        ...{ created_at: expect.any(String), updated_at: expect.any(String) },
      },
    ]);
  });

  it("keeps no name that the list's page would not see: it would redirect to its default view for ever", async () => {
    const query =
      "_rsc=1&__proto__=1&nxtPid=1&=1&//evil.example=1&reference_2=A+1&metadata[order_id]=7&metadata[a b]=8&metadata[]=9";
    const reply = await save(ada, { query, is_default: true });
    expect(reply.json.data.query).toBe("metadata%5Border_id%5D=7&reference_2=A+1");
    expect((await save(ada, { name: "Long", query: `q=${"\u{1f600}".repeat(1_900)}` })).json.errors).toEqual({
      query: ["The query is too long for an address."],
    });
  });

  it("belongs to one person in one business", async () => {
    const id = await saved(ada);
    const grace = await signedIn(merchant);
    const stranger = await signedIn(await createMerchant("Another shop"));
    for (const other of [grace, stranger]) {
      expect(await namesOf(other)).toEqual([]);
      const { list: _, ...update } = unpaid;
      expect((await callAs(other.cookie, "PUT", `${path}/${id}`, update)).status).toBe(404);
      expect((await callAs(other.cookie, "DELETE", `${path}/${id}`)).status).toBe(404);
    }
    expect(await namesOf(ada)).toEqual(["Unpaid over €500"]);
    expect((await call("GET", path, { key: merchant.key })).status).toBe(403);
  });

  it("is listed by list, renamed, given other filters and deleted", async () => {
    const id = await saved(ada);
    await saved(ada, { list: "payments", name: "Failed", query: "status=failed" });
    expect(await namesOf(ada)).toEqual(["Failed", "Unpaid over €500"]);
    expect(await namesOf(ada, "?list=payments")).toEqual(["Failed"]);
    const update = { name: "Unpaid over €900", query: "status=Active&amount_from=900" };
    const reply = await callAs(ada.cookie, "PUT", `${path}/${id}`, update);
    expect(reply.json.data).toMatchObject({ ...update, query: "amount_from=900&status=Active", is_default: false });
    expect((await callAs(ada.cookie, "DELETE", `${path}/${id}`)).json.data).toMatchObject({ _id: id, deleted: true });
    expect((await callAs(ada.cookie, "DELETE", `${path}/${id}`)).status).toBe(404);
    expect(await namesOf(ada)).toEqual(["Failed"]);
  });

  it("has a name that is unique in its list", async () => {
    await saved(ada);
    expect((await save(ada)).json.code).toBe("saved_view_exists");
    const other = await saved(ada, { name: "Mine" });
    const { list: _, ...update } = unpaid;
    const renamed = await callAs(ada.cookie, "PUT", `${path}/${other}`, update);
    expect([renamed.status, renamed.json.code]).toEqual([409, "saved_view_exists"]);
    await saved(ada, { list: "payments" });
  });

  it("is the only default of its list", async () => {
    const first = await saved(ada, { is_default: true });
    const elsewhere = await saved(ada, { list: "payments", is_default: true });
    const second = await saved(ada, { name: "Mine", is_default: true });
    const defaults = async () =>
      (await callAs(ada.cookie, "GET", path)).json.data.filter(({ is_default }) => is_default).map(({ _id }) => _id);
    expect((await defaults()).sort()).toEqual([elsewhere, second].sort());
    const { list: _, ...update } = unpaid;
    await callAs(ada.cookie, "PUT", `${path}/${first}`, { ...update, is_default: true });
    expect((await defaults()).sort()).toEqual([elsewhere, first].sort());
    await callAs(ada.cookie, "PUT", `${path}/${first}`, update);
    expect(await defaults()).toEqual([elsewhere]);
  });

  it("is one of at most 30 of its list, however many are saved at once", async () => {
    /** The requests wait for one lock. On a busy machine some get a 503 and are repeated. */
    const add = async (name: string): ReturnType<typeof save> => {
      const reply = await save(ada, { name });
      return reply.status === 503 ? add(name) : reply;
    };
    const replies = await Promise.all(Array.from({ length: 34 }, (_, n) => add(`View ${n}`)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(replies.find(({ status }) => status !== 200)?.json.code).toBe("too_many_saved_views");
    await saved(ada, { list: "payments" });
  });

  it("needs a name, a query and a known list", async () => {
    const reply = await callAs(ada.cookie, "POST", path, { list: "secrets", query: "", name: "x".repeat(61) });
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.json.errors).sort()).toEqual(["list", "name", "query"]);
  });

  it("ends with the membership", async () => {
    await saved(ada);
    await db.session.deleteMany({ where: { user_id: ada.userId } });
    await db.membership.deleteMany({ where: { user_id: ada.userId } });
    expect(await db.savedView.count({ where: { user_id: ada.userId } })).toBe(0);
  });
});
