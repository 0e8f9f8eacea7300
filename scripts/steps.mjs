// Shared steps of start, build and test. Plain Node without dependencies: it runs before they are installed.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { holdLock } from "./lock.mjs";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const buildStamp = join(dist, ".stamp");
const clientStamp = join(dist, ".client-stamp");
const commandsStamp = join(dist, ".commands-stamp");

/** Ends the process with a message if Node is too old. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Paydesk needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

const running = new Map();
let redraw = null;

const secondsSince = (startedAt) => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;

function drawRunning() {
  const lines = [...running].map(([name, startedAt]) => `${name} … ${secondsSince(startedAt)}`);
  process.stdout.write(`\r\x1b[K  ${lines.join("   ")}`);
}

/**
 * Runs one step and prints a line with its time when it ends. Steps may run concurrently. On a terminal, the last line shows
 * the running steps.
 */
export async function step(name, work) {
  const startedAt = Date.now();
  const terminal = process.stdout.isTTY;
  running.set(name, startedAt);
  if (terminal) redraw ??= setInterval(drawRunning, 1000);
  if (terminal) drawRunning();
  let end = "failed after ";
  try {
    const result = await work();
    end = "";
    return result;
  } finally {
    running.delete(name);
    process.stdout.write(`${terminal ? "\r\x1b[K" : ""}  ${name} ${end}${secondsSince(startedAt)}\n`);
    if (running.size === 0) clearInterval(redraw);
    if (running.size === 0) redraw = null;
  }
}

export class StepError extends Error {}

/** The programs of all steps that run now. */
const children = new Set();

/** Ends all of them, then this process. One handler for all: the first of several would exit before the others are called. */
function endWithChildren(signal) {
  for (const child of children) child.kill("SIGTERM");
  process.exit(signal === "SIGINT" ? 130 : 143);
}

/** Runs a program and returns its output. Writes the output to a log file, and shows it only if the program fails. */
export async function run(program, args, { cwd = root, env = {}, log = "build.log", live = false } = {}) {
  mkdirSync(dist, { recursive: true });
  const file = join(dist, log);
  const out = live ? "inherit" : openSync(file, "w");
  const child = spawn(program, args, {
    cwd,
    stdio: ["ignore", out, out],
    env: { ...process.env, FORCE_COLOR: undefined, NO_COLOR: "1", NEXT_TELEMETRY_DISABLED: "1", ...env },
  });
  if (children.size === 0) for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, endWithChildren);
  children.add(child);
  const code = await new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (status, signal) => resolve(status ?? signal));
  });
  children.delete(child);
  if (children.size === 0) for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, endWithChildren);
  if (live) {
    if (code !== 0) throw new StepError(`${basename(program)} ${args.join(" ")} ended with ${code}.`);
    return "";
  }
  closeSync(out);
  const output = readFileSync(file, "utf8");
  if (code === 0) return output;
  const lines = output.trimEnd().split("\n");
  const cut = lines.length > 400 ? [`(the beginning is in dist/${log})`, ...lines.slice(-400)] : lines;
  throw new StepError(`${cut.join("\n")}\n\n${[basename(program), ...args].join(" ")} ended with ${code}.`);
}

/** Runs a tool of node_modules by its file, without a shell, so that signals reach it. */
export const tool = (file, args, options) =>
  run(process.execPath, [join(root, "node_modules", file), ...args], options);

/** Runs the npm that runs this script, else the one of the path. */
export function npm(args, options) {
  const cli = process.env.npm_execpath;
  return cli?.endsWith("npm-cli.js") ? run(process.execPath, [cli, ...args], options) : run("npm", args, options);
}

/**
 * Whether node_modules matches package-lock.json, by the list that npm writes when it is done.
 * @param toRun whether development packages may be missing, because nothing has to be built
 */
function isInstalled({ toRun = false } = {}) {
  try {
    const locked = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
    const installed = JSON.parse(readFileSync(join(root, "node_modules/.package-lock.json"), "utf8")).packages;
    return (
      Object.entries(locked).every(
        ([path, { version, optional, devOptional, dev }]) =>
          path === "" ||
          installed[path]?.version === version ||
          (!installed[path] && (optional || devOptional || (toRun && dev))),
      ) && Object.keys(installed).every((path) => path in locked)
    );
  } catch {
    return false;
  }
}

export async function install() {
  if (isInstalled()) return;
  await step("Installing packages (npm ci)", async () => {
    await npm(["ci", "--include=dev", "--no-audit", "--no-fund"], { log: "install.log" });
    rmSync(buildStamp, { force: true });
  });
}

const sources = [
  ...["app", "components", "lib", "messages", "prisma/schema", "public", "server"],
  ...["scripts/bundle.mjs", "scripts/steps.mjs"],
  ...[
    "instrumentation.ts",
    "next.config.mjs",
    "package-lock.json",
    "postcss.config.mjs",
    "prisma.config.ts",
    "tsconfig.json",
  ],
];

function* filesBelow(path) {
  const full = join(root, path);
  if (!existsSync(full) || path === "lib/generated") return;
  let entries;
  try {
    entries = readdirSync(full, { withFileTypes: true });
  } catch {
    yield path; // a file
    return;
  }
  for (const { name } of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) yield* filesBelow(`${path}/${name}`);
}

export function fingerprint(paths) {
  const hash = createHash("sha256").update(process.version);
  for (const source of paths)
    for (const file of filesBelow(source)) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

/**
 * Generates Prisma's client, unless the schema has not changed since: a command that runs meanwhile would find half of it.
 * The CLI requires the path of an engine, although `generate` does not use it.
 */
export async function generate() {
  const stamp = fingerprint(["prisma/schema", "prisma.config.ts", "package-lock.json"]);
  const isSame = existsSync(clientStamp) && readFileSync(clientStamp, "utf8") === stamp;
  if (isSame && existsSync(join(root, "lib/generated/prisma/client.ts"))) return;
  rmSync(clientStamp, { force: true });
  await step("Generating the database client", async () => {
    const env = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: "1" };
    await tool("prisma/build/index.js", ["generate"], { env, log: "generate.log" });
  });
  writeFileSync(clientStamp, stamp);
}

const isBuilt = (expectedStamp) =>
  existsSync(buildStamp) &&
  readFileSync(buildStamp, "utf8") === expectedStamp &&
  [
    "dist/main.mjs",
    "dist/framework.mjs",
    "dist/receipt-thread.mjs",
    ".next/BUILD_ID",
    "lib/generated/prisma/client.ts",
  ].every((file) => existsSync(join(root, file)));

/** Whether the server can start without installing or building; the checkout may then be read-only. */
export const isReady = () => isBuilt(fingerprint(sources)) && isInstalled({ toRun: true });

async function buildPages(BUILD_ID) {
  for (const deadline = Date.now() + 180_000; ; await sleep(1000)) {
    try {
      return await tool("next/dist/bin/next", ["build"], {
        env: { NODE_ENV: "production", BUILD_ID },
        log: "next.log",
      });
    } catch (error) {
      // Another `next build` runs, started by hand or left by a killed start. Waits until it ends.
      if (!error.message.includes("Another next build process") || Date.now() > deadline) throw error;
    }
  }
}

/** Has Chromium compile a script's functions in the background while it loads (decision 72). */
const compileHint = "//# allFunctionsCalledOnLoad\n";

function hintScripts() {
  for (const path of filesBelow(".next/static")) {
    if (!path.endsWith(".js")) continue;
    const script = readFileSync(join(root, path), "utf8");
    if (!script.startsWith(compileHint)) writeFileSync(join(root, path), compileHint + script);
  }
}

const gzipped = promisify(gzip);
const compressors = { br: promisify(brotliCompress), gz: (content) => gzipped(content, { level: 9 }) };

/** Writes .br and .gz files beside the pages' scripts and styles, so that the server compresses nothing. */
async function compressStatic() {
  const files = [...filesBelow(".next/static")].filter((path) => /\.(css|js|svg)$/.test(path));
  await Promise.all(
    files.flatMap((path) =>
      Object.entries(compressors).map(async ([extension, compress]) => {
        const content = readFileSync(join(root, path));
        const compressed = await compress(content);
        if (compressed.length < content.length) writeFileSync(join(root, `${path}.${extension}`), compressed);
      }),
    ),
  );
}

/** Builds everything, unless the sources have not changed since the last complete build. */
export async function build() {
  const stamp = fingerprint(sources);
  if (isBuilt(stamp)) return buildCommands();
  rmSync(buildStamp, { force: true });
  await generate();
  await step("Building the pages (next build)", () => buildPages(stamp.slice(0, 20)));
  hintScripts();
  await step("Compressing scripts and styles", compressStatic);
  await step("Bundling the server", async () => (await import("./bundle.mjs")).bundle());
  await buildCommands();
  writeFileSync(buildStamp, stamp);
}

const commandSources = [
  ...["components", "lib", "messages", "prisma/schema", "scripts", "server"],
  ...["package-lock.json", "tsconfig.json"],
];

/** Bundles the commands, unless their sources have not changed since; the checkout may then be read-only. */
async function buildCommands() {
  const stamp = fingerprint(commandSources);
  if (areCommandsBuilt(stamp)) return;
  rmSync(commandsStamp, { force: true });
  await (await import("./bundle.mjs")).bundleCommands();
  writeFileSync(commandsStamp, stamp);
}

const areCommandsBuilt = (expectedStamp) =>
  existsSync(commandsStamp) && readFileSync(commandsStamp, "utf8") === expectedStamp;

/** Builds what a command needs, silently, because its output may be a key that a script reads. */
export async function prepareCommands() {
  if (areCommandsBuilt(fingerprint(commandSources))) return;
  if (!isInstalled()) throw new StepError("Paydesk is not installed here. Start it once: npm start");
  await withLock(buildCommands);
}

/** Runs one installation or build in this checkout at a time. */
export function withLock(work) {
  mkdirSync(dist, { recursive: true });
  return holdLock(join(dist, ".lock"), work);
}

export function exitWithError(error) {
  console.error(`\n${error instanceof StepError ? error.message : (error.stack ?? error)}\n`);
  process.exit(1);
}
