import { beforeAll, describe, expect, it } from "vitest";
import { guideSamples } from "@/components/reference/guides/samples";
import { type Language, languages, type SampleRequest, sampleIn, sampleRequest } from "@/components/reference/samples";
import type { Endpoint } from "@/lib/http/endpoint";
import { forPeople } from "@/lib/http/openapi";
import { sections } from "@/lib/resources/endpoints";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl } from "@/tests/support/http";
import { canRun, runProgram, startInterpreter } from "@/tests/support/programs";
import { startReceiver, until } from "@/tests/support/receiver";
import { create, type Kind, sampleOf, searchOf } from "@/tests/support/samples";
import { createEndpoint, createLinkEvent } from "@/tests/support/webhooks";

// Every sample of the reference, run as a reader would. Only ids that the example invents are replaced by real ones.

const endpoints = sections
  .flatMap((section) => Object.values(section.endpoints) as Endpoint[])
  .filter((endpoint) => endpoint.scope !== null && !forPeople(endpoint));
const base = () => `${baseUrl()}/api`;

let merchant: Merchant;

/** Rows that samples only read, by resource. */
const readRows = new Map<Kind, string>();

/** Examples whose body names things that only the example has. */
const ownBodies = [
  "POST /gateway-accounts",
  "POST /test-clock",
  "POST /payment-links/{payment_link_id}/charge",
  "POST /payment-links/{payment_link_id}/mark-paid",
  "POST /payments/{payment_id}/resolve-mismatch",
];

/** What an id begins with. */
const kindOf = (id: string) => /^[a-z]+_/.exec(id)?.[0];

/** The endpoint's sample request for a row that exists. */
async function realRequest(endpoint: Endpoint): Promise<SampleRequest> {
  const { key } = merchant;
  const sample = sampleOf(endpoint);
  const request = sampleRequest(endpoint, base());
  const resource = endpoint.path.split("/")[1]?.replace("-", "_") as Kind;
  if (endpoint.path.includes("{")) {
    const isRead = endpoint.method === "GET" && !sample.prepare;
    const id = (isRead && readRows.get(resource)) || (await create(key, resource));
    if (isRead) readRows.set(resource, id);
    if (endpoint.method === "DELETE") await sample.makeRemovable?.(id);
    await sample.prepare?.(id);
    const place = endpoint.path.split("/").findIndex((part) => part.startsWith("{"));
    const shown = new URL(request.url).pathname.replace("/api", "").split("/")[place] ?? "";
    expect(kindOf(shown), `the id in the sample of ${endpoint.method} ${endpoint.path}`).toBe(kindOf(id));
    request.url = `${base()}${endpoint.path.replace(/\{\w+\}/, id)}${searchOf(endpoint)}`;
  }
  if (request.body) {
    const real = await sample.body(key);
    const ids = Object.entries(real).filter(([name]) => name.endsWith("_id"));
    request.body = ownBodies.includes(`${endpoint.method} ${endpoint.path}`)
      ? real
      : { ...request.body, ...Object.fromEntries(ids) };
  }
  return request;
}

describe.each(languages.filter(canRun))("in %s", (language) => {
  beforeAll(async () => {
    merchant = await createMerchant(); // a sample connects a gateway account: the next language begins without
    readRows.clear();
  });

  it("runs every endpoint's sample", { timeout: 480_000 }, async () => {
    const refused: string[] = [];
    const interpreter = startInterpreter(language, { KEY: merchant.key });
    for (const endpoint of endpoints) {
      const request = await realRequest(endpoint);
      const { status, output } = await interpreter.run(sampleIn(language, request));
      const worked = language === "curl" && !endpoint.csv ? output.includes('"success":true') : status === 0;
      if (!worked || output.includes('"message":')) refused.push(`${endpoint.method} ${endpoint.path}: ${output}`);
    }
    await interpreter.stop();
    expect(refused).toEqual([]);
  });

  it("tells a refused sample from one that works, and runs the next", async () => {
    const interpreter = startInterpreter(language, { KEY: "none" });
    const get = { method: "GET", body: null, csv: true };
    const refused = await interpreter.run(sampleIn(language, { ...get, url: `${base()}/payment-links`, auth: {} }));
    const worked = await interpreter.run(sampleIn(language, { ...get, url: `${baseUrl()}/readyz`, auth: null }));
    await interpreter.stop();
    expect(language === "curl" ? refused.output.includes('"message":') : refused.status !== 0).toBe(true);
    expect(worked.status, worked.output).toBe(0);
  });

  it("runs the guides' samples", async () => {
    const created = await run(language, "first-link");
    const id = /pl_\w{36}/.exec(created)?.[0] ?? "none";
    expect(created).toContain("Order 1001");
    expect(await run(language, "read-link", (text) => text.replace(/pl_\w+/, id))).toContain(id);

    const first = await run(language, "idempotency");
    const again = await run(language, "idempotency");
    expect(/pl_\w{36}/.exec(again)?.[0]).toBe(/pl_\w{36}/.exec(first)?.[0]);

    const failures = await run(language, "failures");
    for (const field of ["currency", "title"]) expect(failures).toContain(`The ${field} field is required.`);
  });

  it("reads every page with the guide's loop", async () => {
    const { key } = await createMerchant();
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.push(await create(key, "payment_links"));
    const output = await run(language, "pages", (text) => text.replace(/(per_page\D+)100/, "$12"), { KEY: key });
    const ids = [...output.matchAll(/(?<!\/)\b(pl_\w{36})\b(?!["\w]*\/)/g)].map(([, id]) => id);
    expect([...new Set(ids)].sort()).toEqual(made.sort());
  });

  it("tells a delivery of Paydesk from any other", async () => {
    const receiver = await startReceiver();
    const { secret } = await createEndpoint(merchant, receiver.url);
    await createLinkEvent(merchant);
    const [delivery] = await until("a delivery", () => receiver.received.length > 0 && receiver.received);
    await receiver.stop();
    const headers = delivery?.headers ?? {};
    const signature = headers["webhook-signature"] ?? "";
    const rotated = `v1,${Buffer.alloc(32).toString("base64")} ${signature}`;
    const body = delivery?.body ?? "";
    const old = { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) - 301) };
    expect(await verdict(language, secret, headers, body)).toBe("yes");
    expect(await verdict(language, secret, { ...headers, "webhook-signature": rotated }, body)).toBe("yes");
    expect(await verdict(language, secret, headers, `${body} `)).toBe("no");
    expect(await verdict(language, secret, { ...headers, "webhook-signature": "v1,AAAA" }, body)).toBe("no");
    expect(await verdict(language, `whsec_${Buffer.alloc(32, 1).toString("base64")}`, headers, body)).toBe("no");
    expect(await verdict(language, secret, old, body)).toBe("no");
  });
});

const textOf = (language: Language, id: string): string =>
  guideSamples(base()).find((sample) => sample.id === id)?.texts[language] ?? "";

async function run(
  language: Language,
  id: string,
  change: (text: string) => string = (text) => text,
  env: Record<string, string> = {},
): Promise<string> {
  const { status, output } = await runProgram(language, change(textOf(language, id)), { KEY: merchant.key, ...env });
  expect(status, output).toBe(0);
  return output;
}

/** How each language calls the guide's function. The shell's text is a program already. */
const callers: Record<Language, string> = {
  curl: "",
  typescript: `
const { SECRET, HEADERS, BODY } = process.env;
console.log(isSigned(SECRET, JSON.parse(HEADERS), BODY) ? "yes" : "no");`,
  python: `

import json, os
print("yes" if is_signed(os.environ["SECRET"], json.loads(os.environ["HEADERS"]), os.environb[b"BODY"]) else "no")`,
  php: `
echo isSigned(getenv('SECRET'), json_decode(getenv('HEADERS'), true), getenv('BODY')) ? "yes" : "no";`,
};

async function verdict(
  language: Language,
  secret: string,
  headers: Record<string, string>,
  body: string,
): Promise<string> {
  const shell = { secret, body, id: headers["webhook-id"], timestamp: headers["webhook-timestamp"] };
  const env =
    language === "curl"
      ? { ...shell, signature: headers["webhook-signature"] }
      : { SECRET: secret, HEADERS: JSON.stringify(headers), BODY: body };
  const text = textOf(language, "signature") + callers[language];
  const { status, output } = await runProgram(language, text, env as Record<string, string>);
  if (language === "curl") return status === 0 && output === "signed by Paydesk\n" ? "yes" : "no";
  expect(status, output).toBe(0);
  return output.trim();
}

it("runs in Node.js and the shell on every machine", () => {
  expect([canRun("typescript"), canRun("curl")]).toEqual([true, true]);
});
