// Runs every check of this checkout, from a fresh clone: npm test. With "static", those that need no build: npm run check.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { findChromium } from "./chromium.mjs";
import { build, generate, giveUp, install, locked, needNode, root, StepError, step, tool } from "./steps.mjs";
import { startTestPostgres } from "./test-postgres.mjs";

needNode();
process.chdir(root);
// What the person at this terminal has set for a server of their own is not what is tested.
const settings = ["APP_SECRET", "APP_URL", "DATA_DIR", "DATABASE_URL", "DEMO", "HOST", "PORT", "TRUST_PROXY"];
for (const name of [...settings, "LOG_LEVEL", "NODE_ENV", "RATE_LIMIT_PER_MINUTE"]) delete process.env[name];

let passed = 0;
let failed = 0;
/** What failed, said again at the end: thousands of lines may stand after it. */
const faults = [];

/** Runs a step and goes on after a failure, so that one run tells everything. */
async function check(name, work) {
  try {
    const counts = await step(name, work);
    passed += counts?.passed ?? 1;
    failed += counts?.failed ?? 0;
    return true;
  } catch (error) {
    failed += error.counts?.failed || 1;
    passed += error.counts?.passed ?? 0;
    const told = error.counts?.faults ?? [];
    faults.push(...(told.length > 0 ? told : [name]));
    console.error(`\n${error instanceof StepError ? error.message : (error.stack ?? error)}\n`);
    return false;
  }
}

/** Runs a test runner that writes its results as JSON, and returns what `read` counts in them. */
async function counted(name, file, args, env, read) {
  const json = join(root, "dist", `${name}.json`);
  rmSync(json, { force: true });
  const counts = () => (existsSync(json) ? read(JSON.parse(readFileSync(json, "utf8"))) : undefined);
  try {
    await tool(file, args(json), { log: `${name}.log`, env: env(json) });
    return counts();
  } catch (error) {
    throw Object.assign(error, { counts: counts() });
  }
}

const vitest = (project, env = {}) =>
  counted(
    project,
    "vitest/vitest.mjs",
    (json) => [
      ...["run", "--project", project, "--passWithNoTests"],
      ...["--reporter=default", "--reporter=json", `--outputFile.json=${json}`],
    ],
    () => env,
    ({ numPassedTests, numFailedTests, testResults }) => ({
      passed: numPassedTests,
      failed: numFailedTests,
      faults: testResults.flatMap(({ name, status, message, assertionResults }) => {
        const broken = assertionResults.filter((one) => one.status === "failed");
        if (status === "failed" && broken.length === 0) return [fault(name, message)];
        return broken.map(({ fullName, failureMessages }) => fault(`${name}: ${fullName}`, failureMessages[0]));
      }),
    }),
  );

/** Where a test failed and the beginning of why. */
const fault = (where, why = "") =>
  [where.replace(`${root}/`, ""), ...stripVTControlCharacters(why).split("\n").slice(0, 8)].join("\n    ");

/** A suite's tests that failed, those of the suites in it too. */
const broken = ({ suites = [], specs = [] }) => [
  ...specs
    .filter(({ ok }) => !ok)
    .map(({ file, line, title, tests }) =>
      fault(
        `${file}:${line} ${title}`,
        tests.flatMap(({ results }) => results).find(({ error }) => error)?.error.message,
      ),
    ),
  ...suites.flatMap(broken),
];

const playwright = (chromium) =>
  counted(
    "browser",
    "@playwright/test/cli.js",
    () => ["test", "--pass-with-no-tests", "--reporter=line,json"],
    (json) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: json, ...(chromium && { CHROMIUM_PATH: chromium }) }),
    ({ stats, suites, errors }) => ({
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
      faults: [...broken({ suites }), ...errors.map(({ message }) => fault("browser tests", message))],
    }),
  );

const begun = Date.now();
await locked(async () => {
  await install();
  await step("Generating the database client", generate);
}).catch(giveUp);

await Promise.all([
  check("Format and lint (biome)", () =>
    tool("@biomejs/biome/bin/biome", ["ci", "--colors=off"], { log: "biome.log" }),
  ),
  check("Types (tsc)", () => tool("typescript/bin/tsc", ["--noEmit"], { log: "types.log" })),
  check("Unused code (knip)", () => tool("knip/bin/knip.js", ["--no-progress"], { log: "knip.log" })),
]);
const unit = check("Unit tests", () => vitest("unit"));
if (process.argv[2] === "static") await unit;
else {
  let stopPostgres = async () => undefined;
  try {
    const built = locked(build);
    await Promise.allSettled([built, unit]);
    await built;
    stopPostgres = await step("Starting PostgreSQL for the tests", startTestPostgres);
    await check("API tests", () => vitest("api"));
    await check("API tests behind the framework's own server", () => vitest("api-next"));
    await check("Costs (statements, round trips, bytes)", () => vitest("costs"));
    await check("Answers of the benchmark", () =>
      tool("tsx/dist/cli.mjs", ["tests/bench/bench.ts", "--check"], { log: "bench.log" }),
    );
    const chromium = await findChromium();
    const env = chromium && { CHROMIUM_PATH: chromium };
    await check("Faults, small (npm run test:faults runs them in full)", () => vitest("faults", env));
    await check("Browser tests", () => playwright(chromium));
  } catch (error) {
    failed++;
    faults.push(error instanceof StepError ? error.message : String(error));
    console.error(`\n${error instanceof StepError ? error.message : (error.stack ?? error)}\n`);
  }
  await stopPostgres();
}

if (faults.length > 0) console.error(`\nWhat failed:\n\n${faults.join("\n\n")}`);
const seconds = Math.round((Date.now() - begun) / 1000);
console.log(`\nIn all ${Math.floor(seconds / 60)} min ${seconds % 60} s`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
