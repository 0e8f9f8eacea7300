import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { Merchant } from "@/tests/support/factory";
import { createMerchant } from "@/tests/support/factory";
import { baseUrl } from "@/tests/support/http";
import { create } from "@/tests/support/samples";
import { signedIn } from "@/tests/support/sign-in";

const roles = ["owner", "admin", "developer", "support", "viewer"] as const;

/** A caller: its headers, and its permissions by the documentation. */
export interface Principal {
  name: string;
  headers: Record<string, string>;
  /** "write", "read" or "" for a resource; null for an unknown caller. */
  may: ((resource: string) => string) | null;
}

/** The table of docs/people.md: the documented permissions, not the code's. */
function promised(): Map<string, Record<string, string>> {
  const lines = readFileSync("docs/people.md", "utf8").split("\n");
  const table = lines
    .filter((line) => /^\| [a-z_]+ \|/.test(line))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  return new Map(
    table.map(([, resource = "", ...cells]) => [
      resource,
      Object.fromEntries(roles.map((role, i) => [role, (cells[i] ?? "").replace("–", "")])),
    ]),
  );
}

const people = ["team", "account"];

/**
 * The nine callers: none, unknown key, each kind of key, each role. All belong to one business's test mode, except the
 * live key.
 */
export async function principals(merchant: Merchant): Promise<Principal[]> {
  const rules = promised();
  const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
  const sessions: Principal[] = [];
  for (const role of roles) {
    const { cookie } = await signedIn(merchant, role);
    const headers = { Cookie: cookie, Origin: baseUrl() };
    sessions.push({ name: role, headers, may: (resource) => rules.get(resource)?.[role] ?? "" });
  }
  const keyMay = (resource: string) => (people.includes(resource) ? "" : "write");
  return [
    { name: "anonymous", headers: {}, may: null },
    { name: "unknown key", headers: bearer(`sk_test_${"A".repeat(43)}`), may: null },
    { name: "test key", headers: bearer(merchant.key), may: keyMay },
    { name: "live key", headers: bearer(merchant.liveKey), may: keyMay },
    ...sessions,
  ];
}

/** Existing ids that the callers do not own: another business's, and the other mode's where the resource has a mode. */
export interface Foreign {
  foreign: string;
  otherMode: string | null;
}

export async function foreignIds(merchant: Merchant): Promise<Map<string, Foreign>> {
  const stranger = await createMerchant("Another shop");
  const ids = new Map<string, Foreign>();
  for (const resource of [
    "tokenizations",
    "payment_links",
    "packages",
    "subscriptions",
    "payments",
    "refunds",
    "disputes",
    "payouts",
    "events",
    "requests",
    "api_keys",
    "gateway_accounts",
    "unknown_charges",
    "customers",
    "emails",
    "webhook_endpoints",
    "webhook_deliveries",
  ] as const)
    ids.set(resource, {
      foreign: await create(stranger.key, resource),
      otherMode: await create(merchant.liveKey, resource),
    });
  const { userId } = await signedIn(stranger);
  const session = await db.session.findFirstOrThrow({ where: { user_id: userId } });
  const invitation = await db.invitation.create({
    data: {
      id: newId("inv"),
      business_id: stranger.businessId,
      email: `${newId("usr")}@example.com`,
      role: "viewer",
      token_hash: createHash("sha256").update(randomBytes(32)).digest("hex"),
      expires_at: new Date(Date.now() + 3_600_000),
    },
  });
  ids.set("members", { foreign: userId, otherMode: null });
  ids.set("invitations", { foreign: invitation.id, otherMode: null });
  ids.set("sessions", { foreign: session.id, otherMode: null });
  const passkey = {
    id: newId("pky"),
    user_id: userId,
    name: "MacBook",
    credential_id: newId("pky"),
    public_key: Buffer.of(),
  };
  await db.passkey.create({ data: { ...passkey, counter: 0, backed_up: false } });
  ids.set("passkeys", { foreign: passkey.id, otherMode: null });
  const view = {
    id: newId("svw"),
    user_id: userId,
    business_id: stranger.businessId,
    list: "payments",
    name: "Failed",
  };
  await db.savedView.create({ data: { ...view, query: "status=failed" } });
  ids.set("saved_views", { foreign: view.id, otherMode: null });
  ids.set("businesses", { foreign: String(stranger.businessId), otherMode: null });
  return ids;
}
