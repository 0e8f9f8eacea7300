import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root, run, StepError, step } from "./steps.mjs";

const runs = (program) => spawnSync(program, ["--version"], { timeout: 20_000 }).status === 0;

/** The headless shell of Chromium has no window: the browser tests take two thirds of the time that the browser needs. */
const shell = "chromium-headless-shell";
const browsers = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * Finds a working Chromium: CHROMIUM_PATH, a headless shell, Playwright's own (returned as empty), Debian's package, which it
 * installs, or a browser of the machine.
 */
export async function findChromium() {
  const onMachine = (...paths) => paths.find((path) => path && runs(path));
  const found = onMachine(process.env.CHROMIUM_PATH, whereIs(shell));
  if (found) return found;
  const { chromium } = await import("playwright");
  if (existsSync(chromium.executablePath()) && runs(chromium.executablePath())) return "";
  const browser = () => onMachine(...browsers.map(whereIs));
  if (browser() && process.getuid?.() !== 0) return browser();
  await step("Fetching a browser", async () => {
    const cli = join(root, "node_modules/@playwright/test/cli.js");
    const fetched = spawnSync(process.execPath, [cli, "install", "chromium"], { timeout: 300_000, stdio: "ignore" });
    if (fetched.status === 0 && runs(chromium.executablePath())) return;
    const sudo = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
    const [program, ...args] = [...sudo, "apt-get"];
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await run(program, [...args, "update"], { log: "apt.log", env });
    await run(program, [...args, "install", "-y", "--no-install-recommends", shell], { log: "apt.log", env });
  }).catch((error) => {
    if (!browser()) throw error;
  });
  const installed = onMachine(whereIs(shell)) ?? browser();
  if (installed || existsSync(chromium.executablePath())) return installed ?? "";
  throw new StepError("No Chromium found. Install one, or set CHROMIUM_PATH.");
}

function whereIs(name) {
  try {
    return execFileSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
  } catch {
    return undefined;
  }
}
