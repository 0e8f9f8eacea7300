import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

const scripts: Record<string, string> = JSON.parse(readFileSync("package.json", "utf8")).scripts;

/**
 * Starts the program of `npm run NAME` without npm, which takes longer than the command, and without scripts/command.mjs, which
 * compares all sources with those of the bundle: the setup of the tests has done that.
 */
export function startCommand(name: string, args: string[], env: Record<string, string> = {}) {
  const file = /^node scripts\/command.mjs (\S+)$/.exec(scripts[name] ?? "")?.[1];
  if (!file) throw new Error(`package.json has no script ${name} that runs a command`);
  return spawn(process.execPath, [`dist/command-${file}.mjs`, ...args], { env: { ...process.env, ...env } });
}

/** Runs the program of `npm run NAME` with this text on standard input. */
export async function command(
  name: string,
  args: string[],
  { input = "", env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  const child = startCommand(name, args, env);
  child.stdin.on("error", () => undefined); // it may exit without reading its input
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code, stdout, stderr };
}
