import { readFileSync } from "node:fs";
import { afterAll, beforeAll } from "vitest";
import type { Endpoint } from "@/lib/http/endpoint";
import { sections } from "@/lib/resources/endpoints";
import { createMerchant } from "@/tests/support/factory";
import { call, type Reply } from "@/tests/support/http";
import { samples, searchOf } from "@/tests/support/samples";
import { fault, full, type Outcome } from "./fault";
import { type Rig, startRig } from "./rig";
import { type Foreign, foreignIds, type Principal, principals } from "./s1-principals";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig?.stop());

/** Routes without key or session, which have their own rules: documentation, callbacks, sign-in. */
const others = [
  "",
  "/[...path]",
  "/openapi.json",
  "/auth/[...nextauth]",
  "/gateways/sandbox/webhook",
  "/gateways/stripe/webhook",
];

const absent = "00000000000000000000000000000000000a";
const kinds: Record<string, string> = {
  members: "usr",
  invitations: "inv",
  sessions: "ses",
  passkeys: "pky",
  saved_views: "svw",
  businesses: "",
};
const absentOf = (kind: string): string =>
  kind in kinds
    ? kinds[kind]
      ? `${kinds[kind]}_${absent}`
      : "999999999"
    : samples[kind as keyof typeof samples].absentId;

/** Every route of the build with its methods. */
async function served(): Promise<[method: string, path: string][]> {
  const manifest = JSON.parse(readFileSync(".next/server/app-paths-manifest.json", "utf8")) as Record<string, string>;
  const paths = Object.keys(manifest)
    .filter((path) => /^\/api(\/.*)?\/route$/.test(path))
    .map((path) => path.slice("/api".length, -"/route".length))
    .filter((path) => !others.includes(path));
  const found: [string, string][] = [];
  for (const path of paths) {
    const allow = (await call("OPTIONS", path.replace("[id]", "x"))).headers.get("allow") ?? "";
    for (const method of allow.split(", ").filter((name) => name !== "HEAD" && name !== "")) found.push([method, path]);
  }
  return found;
}

const endpoints = new Map(
  sections
    .flatMap(({ endpoints }) => Object.values(endpoints) as Endpoint[])
    .map((endpoint) => [`${endpoint.method} ${endpoint.path.replace(/\{\w+\}/, "[id]")}`, endpoint]),
);

async function run(verbose: boolean): Promise<Outcome> {
  const merchant = await createMerchant();
  const [first, foreign, routes] = await Promise.all([principals(merchant), foreignIds(merchant), served()]);
  let who = first;
  const wrong = { "routes not in the matrix": 0, "wrong refusals": 0, "not byte-equal": 0, "5xx": 0 };
  let requestCount = 0;
  const note = (what: keyof typeof wrong, words: string) => {
    wrong[what]++;
    if (verbose) console.error(`${what}: ${words}`);
  };
  for (const [method, path] of routes) {
    const endpoint = endpoints.get(`${method} ${path}`);
    if (!endpoint) {
      note("routes not in the matrix", `${method} ${path}`);
      continue;
    }
    const kind = path.includes("[id]") ? (path.split("/[id]")[0]?.split("/").at(-1) ?? "").replace(/-/g, "_") : null;
    const ids = kind === null ? null : foreign.get(kind);
    if (ids === undefined) {
      note("routes not in the matrix", `${path} has no foreign ids`);
      continue;
    }
    for (const principal of who) {
      const ask = (id: string) => {
        requestCount++;
        return call(method, path.replace("[id]", id) + searchOf(endpoint), {
          body: endpoint.example.body,
          headers: principal.headers,
        });
      };
      // A refusal has one text, whatever the id: the short run compares it for one of them in turn.
      const isRefused = endpoint.scope !== null && (!principal.may || lacksScope(principal, endpoint));
      const replies: Reply[] = await (ids && kind
        ? requestIds(ask, principal, ids, absentOf(kind), isRefused && !full ? requestCount : null)
        : Promise.all([ask("")]));
      for (const reply of replies) {
        const said = `${principal.name} ${method} ${path}: ${reply.status} ${reply.text.slice(0, 120)}`;
        if (reply.status >= 500) note("5xx", said);
        if (!right(principal, endpoint, reply, ids !== null)) note("wrong refusals", said);
        if (reply.text !== replies[0]?.text || reply.status !== replies[0].status) note("not byte-equal", said);
      }
    }
    // A session that switched to another business cannot test this one any more.
    if (endpoint.switchesBusiness) who = await principals(merchant);
  }
  return {
    done: `${routes.length} routes and methods, ${who.length} principals, ${requestCount.toLocaleString("en")} requests`,
    wrong,
  };
}

/**
 * Requests an absent id, another business's and the other mode's: all responses must be equal.
 * @param turn requests only one of them, another one for each number
 */
async function requestIds(
  ask: (id: string) => Promise<Reply>,
  principal: Principal,
  ids: Foreign,
  none: string,
  turn: number | null,
): Promise<Reply[]> {
  const others = [ids.foreign, ...(ids.otherMode && principal.name !== "live key" ? [ids.otherMode] : [])];
  const all = [none, ...others];
  if (turn !== null) return [await ask(all[turn % all.length] ?? none)];
  return [await ask(none), ...(await Promise.all(others.map(ask)))];
}

/** Whether a principal that may do some things may not do what the endpoint does. */
function lacksScope({ may }: Principal, { scope, alsoRequires }: Endpoint): boolean {
  return [scope, alsoRequires].some((wanted) => {
    if (!wanted) return false;
    const [resource = "", action] = wanted.split(":");
    const allowed = may?.(resource);
    return allowed === "" || (allowed === "read" && action === "write");
  });
}

function right(principal: Principal, endpoint: Endpoint, { status, text }: Reply, byId: boolean): boolean {
  const { scope, method } = endpoint;
  if (scope === null) return status !== 401 && status !== 403;
  if (!principal.may) return status === 401 && text === '{"message":"Unauthenticated.","code":"unauthenticated"}';
  if (lacksScope(principal, endpoint))
    return status === 403 && text === '{"message":"This action is unauthorized.","code":"forbidden"}';
  if (byId) return status === 404 && text.includes('"code":"not_found"');
  // Live mode has no test clock, whatever the key's scopes. An admin cannot manage owners.
  if (scope.startsWith("test_clock:") && principal.name === "live key") return status === 403;
  return status !== 401 && status !== 403 && (method !== "GET" || status === 200);
}

fault({
  id: "S1",
  title: "another business, another role, the other mode",
  minutes: 4,
  run: () => run(true),
  control: {
    without: "the tenant in the where, and the scopes",
    mutations: [
      {
        file: "lib/resources/define.ts",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
        find: "return Prisma.sql`business_id = ${business_id} AND livemode = ${livemode}`;",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
        replace: "return Prisma.sql`${business_id}::int > 0 AND ${livemode}::boolean IS NOT NULL`;",
      },
      { file: "lib/auth/scopes.ts", find: "if (!general.includes(resource)) return false;", replace: "return true;" },
    ],
    finds: ["wrong refusals", "not byte-equal"],
    run: async (mutations) => {
      await rig.weaken("s1", mutations);
      return run(false);
    },
  },
});
