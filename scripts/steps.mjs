// What starting, building and testing share. Plain Node without dependencies: it runs before they are installed.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const buildStamp = join(dist, ".stamp");

/** Ends with a clear message on a Node that is too old, before anything else can fail on it. */
export function needNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Paydesk needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

const running = new Map();
let redraw = null;

const secondsSince = (begun) => `${((Date.now() - begun) / 1000).toFixed(1)} s`;

function drawRunning() {
  const lines = [...running].map(([name, begun]) => `${name} … ${secondsSince(begun)}`);
  process.stdout.write(`\r\x1b[K  ${lines.join("   ")}`);
}

/**
 * Runs one step and prints a line with its time when it ends. Steps may run side by side; on a terminal a last line shows
 * those that are running.
 */
export async function step(name, work) {
  const begun = Date.now();
  const terminal = process.stdout.isTTY;
  running.set(name, begun);
  if (terminal) redraw ??= setInterval(drawRunning, 1000);
  if (terminal) drawRunning();
  let end = "failed after ";
  try {
    const result = await work();
    end = "";
    return result;
  } finally {
    running.delete(name);
    process.stdout.write(`${terminal ? "\r\x1b[K" : ""}  ${name} ${end}${secondsSince(begun)}\n`);
    if (running.size === 0) clearInterval(redraw);
    if (running.size === 0) redraw = null;
  }
}

export class StepError extends Error {}

/** Runs a program with its output in a log file, which is shown only if it fails. Returns that output. */
export async function run(program, args, { env = {}, log = "build.log", live = false } = {}) {
  mkdirSync(dist, { recursive: true });
  const file = join(dist, log);
  const out = live ? "inherit" : openSync(file, "w");
  const child = spawn(program, args, {
    cwd: root,
    stdio: ["ignore", out, out],
    env: { ...process.env, FORCE_COLOR: undefined, NO_COLOR: "1", NEXT_TELEMETRY_DISABLED: "1", ...env },
  });
  const end = (signal) => {
    child.kill("SIGTERM");
    process.exit(signal === "SIGINT" ? 130 : 143);
  };
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, end);
  const code = await new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (status, signal) => resolve(status ?? signal));
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, end);
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

/** Runs a tool of node_modules by its file, so that signals reach it and no shell stands between. */
export const tool = (file, args, options) =>
  run(process.execPath, [join(root, "node_modules", file), ...args], options);

/**
 * Whether node_modules is what package-lock.json asks for, by the list that npm leaves in it when it is done. What only
 * development needs may be missing where nothing has to be built.
 */
function isInstalled({ toRun = false } = {}) {
  try {
    const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
    const there = JSON.parse(readFileSync(join(root, "node_modules/.package-lock.json"), "utf8")).packages;
    return (
      Object.entries(wanted).every(
        ([path, { version, optional, devOptional, dev }]) =>
          path === "" ||
          there[path]?.version === version ||
          (!there[path] && (optional || devOptional || (toRun && dev))),
      ) && Object.keys(there).every((path) => path in wanted)
    );
  } catch {
    return false;
  }
}

/** Installs the packages if they are missing or not those of package-lock.json. */
export async function install() {
  if (isInstalled()) return;
  await step("Installing packages (npm ci)", async () => {
    const cli = process.env.npm_execpath;
    const args = ["ci", "--include=dev", "--no-audit", "--no-fund"];
    if (cli?.endsWith("npm-cli.js")) await run(process.execPath, [cli, ...args], { log: "install.log" });
    else await run("npm", args, { log: "install.log" });
    rmSync(buildStamp, { force: true });
  });
}

/** Prisma's client from prisma/schema. The CLI asks for an engine's path although generating needs none. */
export async function generate() {
  const env = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: "1" };
  await tool("prisma/build/index.js", ["generate"], { env, log: "generate.log" });
}

const sources = [
  ...["app", "components", "lib", "messages", "prisma/schema", "public", "server"],
  ...["scripts/bundle.mjs", "scripts/steps.mjs"],
  ...["next.config.mjs", "package-lock.json", "postcss.config.mjs", "prisma.config.ts", "tsconfig.json"],
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

function fingerprint() {
  const hash = createHash("sha256").update(process.version);
  for (const source of sources)
    for (const file of filesBelow(source)) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

const isBuilt = (wanted) =>
  existsSync(buildStamp) &&
  readFileSync(buildStamp, "utf8") === wanted &&
  ["dist/main.mjs", ".next/BUILD_ID", "lib/generated/prisma/client.ts"].every((file) => existsSync(join(root, file)));

/** Whether there is nothing to do before the server can run; then the checkout may be read-only. */
export const isReady = () => isBuilt(fingerprint()) && isInstalled({ toRun: true });

async function buildPages(BUILD_ID) {
  for (const deadline = Date.now() + 180_000; ; await sleep(1000)) {
    try {
      return await tool("next/dist/bin/next", ["build"], {
        env: { NODE_ENV: "production", BUILD_ID },
        log: "next.log",
      });
    } catch (error) {
      // Started by hand, or left behind by a start that was killed: it ends by itself.
      if (!error.message.includes("Another next build process") || Date.now() > deadline) throw error;
    }
  }
}

const gzipped = promisify(gzip);
const packers = { br: promisify(brotliCompress), gz: (content) => gzipped(content, { level: 9 }) };

/** The scripts and styles of the pages beside themselves as .br and .gz, as small as they get: a server packs nothing. */
async function compressStatic() {
  const files = [...filesBelow(".next/static")].filter((path) => /\.(css|js|svg)$/.test(path));
  await Promise.all(
    files.flatMap((path) =>
      Object.entries(packers).map(async ([ending, pack]) => {
        const content = readFileSync(join(root, path));
        const packed = await pack(content);
        if (packed.length < content.length) writeFileSync(join(root, `${path}.${ending}`), packed);
      }),
    ),
  );
}

/** Builds whatever the sources ask for: nothing, when they are those of the last complete build. */
export async function build() {
  const wanted = fingerprint();
  if (isBuilt(wanted)) return;
  rmSync(buildStamp, { force: true });
  await step("Generating the database client", generate);
  await step("Building the pages (next build)", () => buildPages(wanted.slice(0, 20)));
  await step("Compressing what pages load", compressStatic);
  await step("Bundling the server", async () => (await import("./bundle.mjs")).bundle());
  writeFileSync(buildStamp, wanted);
}

/** Who holds the lock: a process id, and when that process began, because ids are used again. */
function identity(pid) {
  let born = "";
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    born = stat.slice(stat.lastIndexOf(")")).split(" ")[20] ?? "";
  } catch {
    // no /proc here, or no such process
  }
  return `${pid} ${born}`;
}

function holds(owner) {
  const pid = Number(owner.split(" ")[0]);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return false;
  }
  return identity(pid) === owner;
}

/** One installation or build in this checkout at a time; a lock whose holder died is taken over. */
export async function locked(work) {
  mkdirSync(dist, { recursive: true });
  const lock = join(dist, ".lock");
  const mine = `${lock}.${process.pid}`;
  writeFileSync(mine, identity(process.pid));
  let held = false;
  const release = () => {
    rmSync(mine, { force: true });
    if (held) rmSync(lock, { force: true });
    held = false;
  };
  process.once("exit", release);
  try {
    for (let told = false; ; ) {
      try {
        linkSync(mine, lock);
        held = true;
        for (const name of readdirSync(dist)) {
          const left = name.startsWith(".lock.") ? readOwner(join(dist, name)) : null;
          if (left !== null && !holds(left)) rmSync(join(dist, name), { force: true });
        }
        break;
      } catch (error) {
        if (error.code !== "EEXIST") throw error;
      }
      const owner = readOwner(lock);
      if (owner !== null && !holds(owner)) {
        // Taken away by a rename, of which only one can succeed.
        const old = `${mine}.stale`;
        renameQuietly(lock, old);
        rmSync(old, { force: true });
        continue;
      }
      if (!told) console.log("  Waiting for another start that is building here …");
      told = true;
      await sleep(300);
    }
    return await work();
  } finally {
    release();
    process.off("exit", release);
  }
}

function readOwner(lock) {
  try {
    return readFileSync(lock, "utf8");
  } catch {
    return null;
  }
}

function renameQuietly(from, to) {
  try {
    renameSync(from, to);
  } catch {
    // somebody was faster
  }
}

/** Ends the process over a step that failed, with what it printed. */
export function giveUp(error) {
  console.error(`\n${error instanceof StepError ? error.message : (error.stack ?? error)}\n`);
  process.exit(1);
}
