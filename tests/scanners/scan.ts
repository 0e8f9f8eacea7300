// Debian's ffuf, sqlmap and wapiti against the production build: npm run test:scanners [-- ffuf sqlmap wapiti]
// Needs the packages of these names. Prints a table; exits with 1 if a tool found something or a request got a 5xx.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestPostgres } from "@/scripts/test-postgres.mjs";
import { names } from "./names";
import { startTargets, type Targets } from "./targets";

const wanted = process.argv.slice(2);
const minutesEach = 3;
const folder = mkdtempSync(join(tmpdir(), "paydesk-scan-"));

/** @returns the program's exit code and what it printed */
async function run(program: string, args: string[]): Promise<{ code: number; text: string }> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, HOME: folder } });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  const [code] = (await once(child, "exit")) as [number | null];
  return { code: code ?? 1, text };
}

interface Scan {
  tool: string;
  what: string;
  /** @returns what it found, one line for each */
  scan: () => Promise<string[]>;
}

/** Lists what answers with 200 although no page, file or parameter of ours has the name. */
function ffuf(target: Targets, file: string): Scan[] {
  const places: [what: string, address: string, known: RegExp, headers: string[]][] = [
    ["files and pages", "/FUZZ", /^(docs|login|register|forgot|healthz|readyz|thank-you)\/?$/, []],
    ["API paths with a key", "/api/FUZZ", /./, [`Authorization: Bearer ${target.key}`]],
    ["parameters of a list", "/api/payment-links?FUZZ=1'%22", /./, [`Authorization: Bearer ${target.key}`]],
    ["parameters of a pay page", `/pay?id=${target.link}&FUZZ=1'%22`, /./, []],
    ["pages with a session", "/FUZZ", /./, [`Cookie: ${target.cookie}`]],
  ];
  return places.map(([what, address, known, headers], index) => ({
    tool: "ffuf",
    what,
    scan: async () => {
      const out = join(folder, `ffuf-${index}.json`);
      const options = ["-s", "-t", "8", "-mc", "200,500,501,502,504", "-of", "json", "-o", out];
      const sent = headers.flatMap((header) => ["-H", header]);
      const { code, text } = await run("ffuf", ["-u", target.url + address, "-w", file, ...options, ...sent]);
      if (code !== 0) return [`ffuf ended with ${code}: ${text.slice(-300)}`];
      const { results } = JSON.parse(readFileSync(out, "utf8")) as {
        results: { input: { FUZZ: string }; status: number }[];
      };
      return results
        .filter(({ input, status }) => status >= 500 || !known.test(input.FUZZ))
        .map(({ input, status }) => `${address.replace("FUZZ", input.FUZZ)} answers ${status}`);
    },
  }));
}

function sqlmap({ url, key, cookie, link }: Targets): Scan[] {
  const bearer = ["-H", `Authorization: Bearer ${key}`];
  const staff = ["-H", `Cookie: ${cookie}`];
  const body = JSON.stringify({ email: "ada@example.com", currency: "EUR", amount: 1050, title: "Order*" });
  const json = ["-H", "Content-Type: application/json", "--data", body, "--method", "POST"];
  const requests: [what: string, args: string[]][] = [
    ["search of everything", ["-u", `${url}/api/search?q=anna*`, ...staff]],
    ["list of links", ["-u", `${url}/api/payment-links?q=a*&status=Paid*`, ...bearer]],
    ["list of payments", ["-u", `${url}/api/payments?q=a*&currency=EUR*`, ...bearer]],
    ["id in a path", ["-u", `${url}/api/payment-links/${link}*`, ...bearer]],
    ["new link", ["-u", `${url}/api/payment-links`, ...bearer, ...json]],
    ["pay page", ["-u", `${url}/pay?id=${link}*`]],
  ];
  return requests.map(([what, args], index) => ({
    tool: "sqlmap",
    what,
    scan: async () => {
      const output = [
        "--output-dir",
        join(folder, `sqlmap-${index}`),
        "--batch",
        "--flush-session",
        "--disable-coloring",
      ];
      const depth = ["--level", "2", "--risk", "2", "--dbms", "PostgreSQL", "--technique", "BEUS", "--threads", "4"];
      const { text } = await run("sqlmap", [...args, ...output, ...depth, "--ignore-code", "*"]);
      if (/all tested parameters do not appear to be injectable/.test(text)) return [];
      return text.split("\n").filter((line) => /injectable|CRITICAL|vulnerable/.test(line));
    },
  }));
}

/** Wapiti's notes that docs/faults.md answers, each with its reason. */
const answered = [
  /Strict-Transport-Security|X-XSS-Protection/, // https alone; ignored by browsers
  /CSP (is not set|attribute)/, // JSON; the pages' policy has its own tests
  /Secure flag is not set/, // https alone
];

function wapiti({ url, key, cookie }: Targets): Scan[] {
  const [name = "", value = ""] = cookie.split(/=(.*)/s);
  const jar = join(folder, "cookies.json");
  writeFileSync(
    jar,
    JSON.stringify({ localhost: { "/": { [name]: { value, expires: null, secure: false, port: null } } } }),
  );
  const modules =
    "sql,xss,permanentxss,exec,file,crlf,redirect,http_headers,cookieflags,shellshock,htaccess,methods,blindsql";
  const scopes: [what: string, start: string, args: string[]][] = [
    ["public pages", "/login", []],
    ["API with a key", "/api/payment-links?limit=5&q=a&status=Paid", ["-H", `Authorization: Bearer ${key}`]],
    ["dashboard with a session", "/payment-links?q=a", ["-c", jar]],
  ];
  return scopes.map(([what, start, args], index) => ({
    tool: "wapiti",
    what,
    scan: async () => {
      const out = join(folder, `wapiti-${index}.json`);
      const bounds = ["--max-scan-time", String(minutesEach * 60), "--max-attack-time", "40", "-d", "3"];
      const where = ["-u", `${url}/`, "-s", url + start, "--scope", "domain"];
      const store = ["--store-session", join(folder, `wapiti-${index}`), "--flush-session", "--no-bugreport"];
      const { text } = await run("wapiti", [
        ...where,
        ...args,
        "-m",
        modules,
        ...bounds,
        ...store,
        "-f",
        "json",
        "-o",
        out,
      ]);
      let report: { vulnerabilities: Record<string, { info: string; method: string; path: string }[]> };
      try {
        report = JSON.parse(readFileSync(out, "utf8"));
      } catch {
        return [`wapiti wrote no report: ${text.slice(-300)}`];
      }
      return Object.entries(report.vulnerabilities)
        .flatMap(([kind, found]) => found.map(({ info, method, path }) => `${kind}: ${method} ${path}: ${info}`))
        .filter((line) => !answered.some((note) => note.test(line)));
    },
  }));
}

mkdirSync(folder, { recursive: true });
const stopPostgres = await startTestPostgres();
const target = await startTargets();
const file = join(folder, "names.txt");
const list = await names(target);
writeFileSync(file, list.join("\n"));
let bad = 0;
console.log(`\n${list.length} names\n\n| tool | what | requests | 5xx | found |\n|---|---|---|---|---|`);
for (const { tool, what, scan } of [...ffuf(target, file), ...sqlmap(target), ...wapiti(target)]) {
  if (wanted.length > 0 && !wanted.includes(tool)) continue;
  const before = target.answers();
  const found = await scan();
  const after = target.answers();
  const faults = after.faults.slice(before.faults.length);
  bad += found.length + faults.length;
  console.log(`| ${tool} | ${what} | ${after.requests - before.requests} | ${faults.length} | ${found.length} |`);
  for (const line of [...found, ...faults].slice(0, 20)) console.log(`  ${line}`);
}
await target.stop();
await stopPostgres();
rmSync(folder, { recursive: true, force: true });
process.exitCode = bad > 0 ? 1 : 0;
