import { request } from "node:http";
import { afterAll, beforeAll } from "vitest";
import type { Endpoint } from "@/lib/http/endpoint";
import { sections } from "@/lib/resources/endpoints";
import { createMerchant } from "@/tests/support/factory";
import { baseUrl } from "@/tests/support/http";
import { signedIn } from "@/tests/support/sign-in";
import { fault, type Outcome } from "./fault";
import { type Rig, startRig } from "./rig";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig?.stop());

const evil = "https://evil.example";
/** Every combination of headers that another site's page can make a browser send with our cookie. */
const ways: Record<string, Record<string, string>> = {
  "another origin": { Origin: evil, "Content-Type": "application/json" },
  "no origin": { "Content-Type": "application/json" },
  "a hidden origin": { Origin: "null", "Content-Type": "application/json" },
  "text/plain": { Origin: evil, "Content-Type": "text/plain" },
  "a form": { Origin: evil, "Content-Type": "application/x-www-form-urlencoded" },
  "a form with files": { Origin: evil, "Content-Type": "multipart/form-data; boundary=x" },
  "a name that resolves to this machine": { Origin: evil, Host: "evil.example", "Content-Type": "application/json" },
  "our host by another scheme": { Origin: "", "Content-Type": "application/json" }, // filled in when the server runs
};

/** Like fetch, which sends no Host of the caller's. @returns the response's status */
function send(method: string, path: string, headers: Record<string, string>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${baseUrl()}/api${path}`, { method, headers }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
    });
    sent.once("error", reject).end(body);
  });
}

const auth = ["/auth/callback/credentials", "/auth/signout"].map((path) => ({ method: "POST", path, body: "" }));

async function run(verbose: boolean): Promise<Outcome> {
  const wrong = { "not refused": 0, "session ended": 0 };
  Object.assign(ways["our host by another scheme"] ?? {}, { Origin: baseUrl().replace("http:", "https:") });
  const { cookie } = await signedIn(await createMerchant());
  const writes = sections
    .flatMap(({ endpoints }) => Object.values(endpoints) as Endpoint[])
    .filter(({ method }) => method !== "GET")
    .map(({ method, path, example }) => ({
      method,
      path: path.replace(/\{\w+\}/, String(example.data._id)),
      body: example.body ? JSON.stringify(example.body) : "",
    }));
  const all = [...writes, ...auth];
  for (const { method, path, body } of all)
    for (const [way, headers] of Object.entries(ways)) {
      const status = await send(method, path, { ...headers, Cookie: cookie }, body);
      if (status === 403) continue;
      wrong["not refused"]++;
      if (verbose) console.error(`${way}: ${method} ${path}: ${status}`);
    }
  const alive = await fetch(`${baseUrl()}/api/account`, { headers: { Cookie: cookie } });
  if (alive.status !== 200) wrong["session ended"]++;
  return { done: `${all.length} writes, ${Object.keys(ways).length} ways each`, wrong };
}

fault({
  id: "S6",
  title: "writes from another site",
  minutes: 3,
  run: () => run(true),
  control: {
    without: "the origin check",
    mutations: [
      {
        file: "lib/auth/session.ts",
        find: "return origin !== null && (origin === env().APP_URL || isSameAddress(origin, request));",
        replace: "return origin !== undefined || isSameAddress(origin, request);",
      },
    ],
    run: async (mutations) => {
      await rig.weaken("s6", mutations);
      return run(false);
    },
  },
});
