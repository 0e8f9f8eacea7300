import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll } from "vitest";
import { childrenOf } from "@/tests/support/children";
import { createMerchant } from "@/tests/support/factory";
import { sendRaw } from "@/tests/support/raw-http";
import { create } from "@/tests/support/samples";
import { attemptSignIn, createStaff, signedIn } from "@/tests/support/sign-in";
import { type StripeFake, startStripeFake } from "@/tests/support/stripe/fake";
import { fault, full, type Outcome } from "./fault";
import { mapConcurrently } from "./map-concurrently";
import { type Rig, startRig } from "./rig";
import { builtPaths, type Malformed, malformed } from "./s3-requests";
import { random } from "./seeded";

const requestCount = full ? 40_000 : 200;
/** Resident memory of each process, MB. */
const memoryLimit = 250;
const slowestMs = 2_000;

let rig: Rig;
let stripe: StripeFake;
/** Errors, and lines that are no JSON object, in the log since the start. */
const logged = { errors: [] as string[], broken: [] as string[], listening: false };

let unfinished = "";
function readLog(text: string): void {
  const lines = (unfinished + text).split("\n");
  unfinished = lines.pop() ?? "";
  if (!logged.listening) return;
  for (const line of lines.filter((each) => each !== "")) {
    if (!line.startsWith("{")) logged.broken.push(line);
    else if (line.startsWith('{"level":"error"')) logged.errors.push(line);
  }
}

beforeAll(async () => {
  stripe = await startStripeFake();
  rig = await startRig({ STRIPE_API_URL: stripe.url }, readLog);
});
afterAll(async () => {
  await rig?.stop();
  await stripe?.close();
});

const megabyte = Buffer.alloc(1 << 20, 0x20);
const hundred = <T>(part: T): T[] => Array.from({ length: full ? 100 : 20 }, () => part);
const announced = (method: string, path: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${100 << 20}\r\n\r\n`;
const chunked = announced("POST", "/api/payment-links").replace(/Content-Length.*/, "Transfer-Encoding: chunked");
const chunk = Buffer.concat([Buffer.from("100000\r\n"), megabyte, Buffer.from("\r\n")]);

/** Large requests, each with the status that a client must be able to read after it has sent everything. */
const large: [status: number, bytes: (string | Buffer)[]][] = [
  [413, [announced("POST", "/api/payment-links"), ...hundred(megabyte)]],
  [413, [announced("POST", "/pay?id=x"), ...hundred(megabyte)]],
  [413, [announced("POST", "/api/auth/callback/credentials"), ...hundred(megabyte)]],
  [405, [announced("POST", "/favicon.ico"), ...hundred(megabyte)]],
  [413, [chunked, ...hundred(chunk)]],
  [431, ["GET / HTTP/1.1\r\nHost: x\r\nX: ", ...hundred(Buffer.alloc(1 << 16, 0x78))]],
];

/** Resident memory of a process, MB (proc(5)); 0 where it cannot be read. */
function memoryOf(pid: number): number {
  if (process.platform !== "linux") return 0;
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

async function run(count: number, verbose: boolean): Promise<Outcome> {
  const kinds = [
    "5xx",
    "unanswered",
    "slow",
    "large requests without their answer",
    "errors in the log",
    "broken lines",
  ];
  const wrong: Record<string, number> = Object.fromEntries(kinds.map((kind) => [kind, 0]));
  const note = (kind: string, words: string) => {
    wrong[kind] = (wrong[kind] ?? 0) + 1;
    if (verbose) console.error(`${kind}: ${JSON.stringify(words.slice(0, 700))}`);
  };
  const merchant = await createMerchant();
  const { cookie } = await signedIn(merchant);
  await create(merchant.key, "payment_links");
  await fetch(`${rig.url}/login`); // starts the process of the pages
  Object.assign(logged, { errors: [], broken: [], listening: true });
  const callers = [
    `Authorization: Bearer ${merchant.key}`,
    `Authorization: Bearer ${merchant.key}\r\nIdempotency-Key: ${randomUUID()}`,
    `Cookie: ${cookie}\r\nOrigin: ${rig.url}`,
    `Cookie: ${cookie}`,
    `Origin: ${rig.url}`,
  ];
  const next = random();
  const paths = builtPaths();
  const statuses = new Map<number, number>();
  const late: Malformed[] = [];
  const send = async ({ name, bytes, hangUp }: Malformed) => {
    const { status, ms } = await sendRaw(rig.url, bytes, { hangUp });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status >= 500) note("5xx", `${status} ${name}`);
    if (status === 0 && !hangUp) note("unanswered", name);
    if (ms > slowestMs && !hangUp) late.push({ name, bytes, hangUp });
  };
  await mapConcurrently(8, Array.from({ length: count }), () => send(malformed(next, paths, callers)));
  // Late for the request's own sake, and not for a busy machine's: alone, it is late again.
  for (const { name, bytes } of late)
    if ((await sendRaw(rig.url, bytes)).ms > slowestMs && (await sendRaw(rig.url, bytes)).ms > slowestMs)
      note("slow", name);
  // The short run sends less than it announces: each connection then stays open until the server gives up on the rest.
  await mapConcurrently(full ? 1 : 3, large, async ([expected, bytes]) => {
    const { status, head, taken } = await sendRaw(rig.url, bytes);
    if (status !== expected || !taken) note("large requests without their answer", `${expected}: ${head}`);
  });
  await signInWithPlantedCookie().catch((error: unknown) => note("unanswered", `sign-in: ${error}`));
  const alive = await fetch(`${rig.url}/api/account`, { headers: { Cookie: cookie } });
  if (alive.status !== 200) note("unanswered", `the session: ${alive.status}`);
  for (const line of logged.errors) note("errors in the log", line);
  for (const line of logged.broken) note("broken lines", line);

  const processes = [rig.pid(), ...childrenOf(rig.pid()).map(({ pid }) => pid)].map(memoryOf);
  wrong[`processes above ${memoryLimit} MB`] = processes.filter((megabytes) => megabytes > memoryLimit).length;
  const memory = processes.map((megabytes) => `${Math.round(megabytes)} MB`).join(", ");
  if (verbose) console.error([...statuses].sort().join(" "), memory);
  return {
    done: `${count.toLocaleString("en")} requests to ${paths.length} paths, ${large.length} large ones, ${memory}`,
    wrong,
  };

  /** Another site of the domain may have planted a cookie that the sign-in reads. */
  async function signInWithPlantedCookie(): Promise<void> {
    const { email, password } = await createStaff(merchant);
    const { cookie, status } = await attemptSignIn(
      { email, password },
      { cookies: ["next-auth.callback-url=garbage"] },
    );
    if (cookie === null) note("5xx", `sign-in with a planted cookie: ${status}`);
  }
}

fault({
  id: "S3",
  title: "malformed requests",
  minutes: 30,
  run: () => run(requestCount, true),
  control: {
    without: "the strictness of JSON, the methods of pages, and the reading of refused bodies",
    mutations: [
      {
        file: "lib/http/json.ts",
        find: 'if (text.includes("\\0") || !text.isWellFormed()) throw new Error("not storable");',
        replace: "",
      },
      {
        file: "server/front.ts",
        find: 'inDevelopment ? "GET, HEAD, POST" : "GET, HEAD";',
        replace: 'true ? "GET, HEAD, POST" : "";',
      },
      { file: "server/front.ts", find: "if (request.complete || !hasBody(request)) {", replace: "if (true) {" },
    ],
    finds: ["5xx", "large requests without their answer"],
    run: async (mutations) => {
      await rig.weaken("s3", mutations);
      return run(2_000, false);
    },
  },
});
