import { beforeAll, describe, expect, it } from "vitest";
import { createMerchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { create } from "@/tests/support/samples";

const body = {
  name: "Reading club",
  amount: "1500",
  currency: "EUR",
  frequency: "monthly",
  date_charge_start: "2027-01-31",
};

let key: string;
beforeAll(async () => {
  ({ key } = await createMerchant());
});

describe("packages", () => {
  it("return the specification's fields in its order", async () => {
    const { json } = await call("POST", "/packages", { key, body });
    expect(json.data).toMatchObject({ ...body, amount: 15, amount_cents: 1500, status: "active", description: null });
    expect(Object.keys(json.data).slice(0, 11)).toEqual([
      ...[
        "_id",
        "name",
        "description",
        "amount",
        "frequency",
        "currency",
        "date_charge_start",
        "business_id",
        "status",
      ],
      ...["created_at", "updated_at"],
    ]);
  });

  it("refuse an invalid frequency or day", async () => {
    const { json } = await call("POST", "/packages", {
      key,
      body: { ...body, frequency: "hourly", date_charge_start: "2027-02-30" },
    });
    expect(json.errors).toEqual({
      frequency: ["The selected frequency is invalid."],
      date_charge_start: ["The date_charge_start is not a valid date."],
    });
  });

  it("keep currency and schedule while they have subscriptions; texts and amount can change", async () => {
    const id = await create(key, "packages", body);
    await create(key, "subscriptions", { package_id: id });
    const put = (over: object) => call("PUT", `/packages/${id}`, { key, body: { ...body, ...over } });
    expect((await put({ name: "Readers", description: "Monthly" })).json.data).toMatchObject({ name: "Readers" });
    expect((await put({ amount: "1600" })).json.data).toMatchObject({ amount: 16, subscriber_count: 1 });
    for (const over of [{ currency: "USD" }, { frequency: "daily" }, { date_charge_start: null }]) {
      const reply = await put(over);
      expect([reply.status, reply.json.code]).toEqual([409, "package_in_use"]);
    }
    expect((await call("DELETE", `/packages/${id}`, { key })).json.code).toBe("package_in_use");
  });

  it("are cancelled permanently; cancelling again changes nothing", async () => {
    const id = await create(key, "packages", body);
    const put = (status: string) => call("PUT", `/packages/${id}`, { key, body: { ...body, status } });
    expect((await put("active")).status).toBe(200);
    expect((await put("cancel")).json.data.status).toBe("cancel");
    expect((await put("cancel")).status).toBe(200);
    expect((await put("active")).status).toBe(409);
    expect((await put("paused")).json.errors).toEqual({ status: ["The selected status is invalid."] });
  });
});
