import { beforeAll, expect, it } from "vitest";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call, type Row } from "@/tests/support/http";
import { png } from "@/tests/support/images";
import { create } from "@/tests/support/samples";

let merchant: Merchant;
beforeAll(async () => {
  merchant = await createMerchant();
});

const get = async (path: string): Promise<Row> => (await call("GET", path, { key: merchant.key })).json.data;

const package_ = (name: string) => ({ name, amount: "1500", currency: "EUR", frequency: "monthly" });

interface Case {
  path: () => Promise<string>;
  /** The path to read it, if it differs. */
  read?: string;
  body: (word: string) => Record<string, unknown>;
}

const cases: Record<string, Case> = {
  packages: {
    path: async () => `/packages/${await create(merchant.key, "packages")}`,
    body: package_,
  },
  subscriptions: {
    path: async () => {
      // In the future, so that billing does not change the subscription.
      const body = { ...package_("Later"), date_charge_start: "2099-01-01" };
      const { _id: package_id } = (await call("POST", "/packages", { key: merchant.key, body })).json.data;
      const made = await call("POST", "/subscriptions", {
        key: merchant.key,
        body: { email: "a@example.com", package_id },
      });
      return `/subscriptions/${made.json.data._id}`;
    },
    body: (word) => ({ email: `${word}@example.com` }),
  },
  "webhook endpoints": {
    path: async () => `/webhook-endpoints/${await create(merchant.key, "webhook_endpoints")}`,
    body: (description) => ({ description }),
  },
  settings: { path: async () => "/settings", body: (name) => ({ name }) },
  "the logo": {
    path: async () => "/settings/logo",
    read: "/settings",
    body: (word) => ({ image: png({ width: 16 + word.length }).toString("base64") }),
  },
};

it.each(Object.entries(cases))(
  "PUT with If-Match refuses the second of two concurrent changes of %s",
  async (_, { path, read, body }) => {
    const at = await path();
    const { updated_at } = await get(read ?? at);
    const change = (word: string, readAt?: string) =>
      call("PUT", at, { key: merchant.key, body: body(word), headers: { "If-Match": readAt } });
    const both = await Promise.all([change("first", `"${updated_at}"`), change("second", updated_at)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect(both.find(({ status }) => status === 412)?.json.code).toBe("precondition_failed");
    expect((await change("third", (await get(read ?? at)).updated_at)).status).toBe(200);
    expect((await change("fourth")).status).toBe(200);
  },
);
