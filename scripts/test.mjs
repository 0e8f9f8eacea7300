// npm test: runs every check, also in a fresh clone. npm run check ("static"): only those that need no build.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { findChromium } from "./chromium.mjs";
import {
  build,
  exitWithError,
  generate,
  install,
  requireNode,
  root,
  StepError,
  step,
  tool,
  withLock,
} from "./steps.mjs";
import { startTestPostgres } from "./test-postgres.mjs";

requireNode();
process.chdir(root);
// Tests must not inherit the settings of a developer's own server, nor the files that hold its secrets.
const settings = [...readFileSync("lib/core/env.ts", "utf8").matchAll(/^ {4}([A-Z_]+):/gm)].map(([, name]) => name);
for (const name of [...settings, ...settings.map((name) => `${name}_FILE`), "NODE_ENV"]) delete process.env[name];

let passed = 0;
let failed = 0;
/** Failures, repeated in short at the end, after possibly thousands of lines. */
const failures = [];
/** Tests that passed only when CI repeated them: each is a defect to mend. */
const unstable = [];

/** Runs a step. Continues after a failure, so that one run reports all failures. */
async function check(name, work) {
  try {
    const counts = await step(name, work);
    passed += counts?.passed ?? 1;
    failed += counts?.failed ?? 0;
    return true;
  } catch (error) {
    failed += error.counts?.failed || 1;
    passed += error.counts?.passed ?? 0;
    const details = error.counts?.failures ?? [];
    failures.push(...(details.length > 0 ? details : [name]));
    console.error(`\n${error instanceof StepError ? error.message : (error.stack ?? error)}\n`);
    return false;
  }
}

/** Runs a test runner that writes its results as JSON, and returns the counts that `read` takes from them. */
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

const vitest = (projects, env = {}) =>
  counted(
    projects[0],
    "vitest/vitest.mjs",
    (json) => [
      ...["run", ...projects.map((project) => `--project=${project}`)],
      ...["--reporter=default", "--reporter=json", `--outputFile.json=${json}`],
    ],
    () => env,
    ({ numPassedTests, numFailedTests, testResults }) => {
      const withErrors = testResults.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter(({ status, failureMessages }) => status === "failed" || failureMessages.length > 0)
          .map(({ fullName, status, failureMessages }) => ({
            status,
            text: failureText(`${name}: ${fullName}`, failureMessages[0]),
          })),
      );
      const textsOf = (wanted) => withErrors.filter(({ status }) => status === wanted).map(({ text }) => text);
      unstable.push(...textsOf("passed"));
      // A file may fail without a failed test.
      const files = testResults.filter(
        ({ status, assertionResults }) =>
          status === "failed" && !assertionResults.some((result) => result.status === "failed"),
      );
      return {
        passed: numPassedTests,
        failed: numFailedTests,
        failures: [...files.map(({ name, message }) => failureText(name, message)), ...textsOf("failed")],
      };
    },
  );

const failureText = (where, why = "") =>
  [where.replace(`${root}/`, ""), ...stripVTControlCharacters(why).split("\n").slice(0, 4)].join("\n    ");

/** The chosen specs of Playwright's suites, each with its first error. */
const specTexts = ({ suites = [], specs = [] }, chosen) => [
  ...specs
    .filter(chosen)
    .map(({ file, line, title, tests }) =>
      failureText(
        `${file}:${line} ${title}`,
        tests.flatMap(({ results }) => results).find(({ error }) => error)?.error.message,
      ),
    ),
  ...suites.flatMap((suite) => specTexts(suite, chosen)),
];
const isFlaky = ({ tests }) => tests.some(({ status }) => status === "flaky");

const playwright = (chromium) =>
  counted(
    "browser",
    "@playwright/test/cli.js",
    () => ["test", "--pass-with-no-tests", "--reporter=line,json"],
    (json) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: json, ...(chromium && { CHROMIUM_PATH: chromium }) }),
    ({ stats, suites, errors }) => {
      unstable.push(...specTexts({ suites }, isFlaky));
      return {
        passed: stats.expected + stats.flaky,
        failed: stats.unexpected,
        failures: [
          ...specTexts({ suites }, ({ ok }) => !ok),
          ...errors.map(({ message }) => failureText("browser tests", message)),
        ],
      };
    },
  );

const startedAt = Date.now();
await withLock(async () => {
  await install();
  await generate();
}).catch(exitWithError);

await Promise.all([
  check("Format and lint (biome)", () =>
    tool("@biomejs/biome/bin/biome", ["ci", "--colors=off"], { log: "biome.log" }),
  ),
  check("Types (tsc)", () => tool("typescript/bin/tsc", ["--noEmit"], { log: "types.log" })),
  check("Unused code (knip)", () => tool("knip/bin/knip.js", ["--no-progress"], { log: "knip.log" })),
]);
const unit = check("Unit tests", () => vitest(["unit"]));
if (process.argv[2] === "static") await unit;
else {
  let stopPostgres = async () => undefined;
  try {
    const built = withLock(build);
    await Promise.allSettled([built, unit]);
    await built;
    stopPostgres = await step("Starting PostgreSQL for the tests", startTestPostgres);
    await check("API tests", () => vitest(["api", "servers"]));
    // Together: the benchmark does one thing after another, which leaves half of the processor to the others.
    await Promise.all([
      check("Benchmark responses", () =>
        tool("tsx/dist/cli.mjs", ["tests/bench/bench.ts", "--check"], { log: "bench.log" }),
      ),
      check("API tests behind the framework's own server", () => vitest(["api-next"])).then(() =>
        check("Costs (statements, round trips, bytes)", () => vitest(["costs"])),
      ),
    ]);
    const chromium = await findChromium();
    const env = chromium && { CHROMIUM_PATH: chromium };
    await check("Fault suites, reduced (npm run test:faults runs them in full)", () => vitest(["faults"], env));
    await check("Browser tests", () => playwright(chromium));
  } catch (error) {
    failed++;
    failures.push(error instanceof StepError ? error.message : String(error));
    console.error(`\n${error instanceof StepError ? error.message : (error.stack ?? error)}\n`);
  }
  await stopPostgres();
}

const seconds = Math.round((Date.now() - startedAt) / 1000);
console.log(`\nTotal time: ${Math.floor(seconds / 60)} min ${seconds % 60} s`);
if (unstable.length > 0) console.log(`\nPassed only when repeated:\n${unstable.join("\n")}`);
// Last, because a long log is often read from its end.
if (failures.length > 0) console.log(`\nFailures:\n${failures.join("\n")}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
