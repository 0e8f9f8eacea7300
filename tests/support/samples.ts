import type { Resource } from "@/lib/api/endpoint";
import { db } from "@/lib/db";
import { call } from "./http";

interface Sample {
  /** What its 404 calls it. */
  noun: string;
  /** Which fields a create reports when the body is {}, in the specification's order. */
  required: string[];
  create: { path: string; body: (key: string) => Promise<Record<string, unknown>> };
  /** The body of an update that must succeed. */
  update: Record<string, unknown>;
  /** What must have happened before a DELETE can succeed. */
  makeRemovable?: (id: string) => Promise<unknown>;
  /** An id that could be one and is not. */
  absentId: string;
}

const absent = "00000000000000000000000000000000000a";

/** One valid thing of each resource: what the standard questions are asked about. */
export const samples: Record<Resource, Sample> = {
  tokenizations: {
    noun: "Tokenization",
    required: ["email", "title", "description"],
    create: {
      path: "/tokenizations/create-token",
      body: async () => ({ email: "ada@example.com", title: "Card on file", description: "For later orders" }),
    },
    update: {},
    makeRemovable: activate,
    absentId: `tkn_${absent}`,
  },
  payment_links: {
    noun: "Payment link",
    required: ["currency", "email", "amount", "title"],
    create: {
      path: "/payment-links",
      body: async () => ({ email: "ada@example.com", currency: "EUR", amount: "1050", title: "Order 1001" }),
    },
    update: { email: "ada@example.com", currency: "EUR", amount: "2000", title: "Order 1001, changed" },
    absentId: `pl_${absent}`,
  },
  packages: {
    noun: "Package",
    required: ["name", "amount", "currency", "frequency"],
    create: {
      path: "/packages",
      body: async () => ({ name: "Reading club", amount: "1500", currency: "EUR", frequency: "monthly" }),
    },
    update: { name: "Reading club", amount: "1600", currency: "EUR", frequency: "monthly" },
    absentId: `pkg_${absent}`,
  },
  subscriptions: {
    noun: "Subscription",
    required: ["package_id", "email"],
    create: {
      path: "/subscriptions",
      body: async (key) => ({ package_id: await create(key, "packages"), email: "ada@example.com" }),
    },
    update: { phone_no: "+4915550100" },
    absentId: `sub_${absent}`,
  },
};

/** Puts a test card on file, as the payer's visit to the activation page does. */
export function activate(id: string): Promise<unknown> {
  const card = { card_brand: "visa", card_last4: "4242", card_exp_month: 12, card_exp_year: 2034 };
  return db.tokenization.update({ where: { id }, data: { status: "active", activated_at: new Date(), ...card } });
}

/** Creates one through the API and returns its id. */
export async function create(key: string, resource: Resource, over: Record<string, unknown> = {}): Promise<string> {
  const { path, body } = samples[resource].create;
  const reply = await call("POST", path, { key, body: { ...(await body(key)), ...over } });
  if (reply.status !== 200) throw new Error(`could not create ${resource}: ${reply.status} ${reply.text}`);
  return reply.json.data._id;
}
