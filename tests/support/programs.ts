import { spawn, spawnSync } from "node:child_process";
import { transform } from "esbuild";
import type { Language } from "@/components/reference/samples";

interface Run {
  status: number | null;
  output: string;
}

/** What each language is run with. bash has pipes and `${name:+...}`, and curl prints the response. */
const commands: Record<Language, string[]> = {
  curl: ["bash", "-c"],
  typescript: [process.execPath, "--input-type=module", "-e"],
  python: ["python3", "-c"],
  php: ["php", "-r"],
};

/** Whether this machine can run programs in the language. */
export const canRun = (language: Language): boolean =>
  spawnSync(commands[language][0] ?? "", ["--version"]).status === 0;

/** Runs a program as a reader would, with the given environment. */
export async function runProgram(language: Language, text: string, env: Record<string, string>): Promise<Run> {
  const [command = "", ...options] = commands[language];
  const child = spawn(command, [...options, await runnable(language, text)], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env } as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 30_000,
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  const status = await new Promise<number | null>((resolve, reject) => child.on("close", resolve).on("error", reject));
  return { status, output: Buffer.concat(chunks).toString() };
}

async function runnable(language: Language, text: string): Promise<string> {
  if (language === "typescript") return (await transform(text, { loader: "ts", format: "esm" })).code;
  return language === "php" ? text.replace(/^<\?php\s/, "") : text;
}
