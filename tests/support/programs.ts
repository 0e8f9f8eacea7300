import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
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

/** Read programs from standard input, a JSON string each, and run them in scopes of their own. A status ends each output. */
const interpreters: Partial<Record<Language, string>> = {
  typescript: `
import { createInterface } from "node:readline";
let count = 0;
for await (const line of createInterface({ input: process.stdin })) {
  let status = 0;
  try {
    await import("data:text/javascript," + encodeURIComponent(JSON.parse(line) + "\\n//" + count++));
  } catch (error) {
    status = 1;
    console.log(error);
  }
  console.log("\\n--- status " + status);
}`,
  python: `
import json, sys, traceback
for line in sys.stdin:
    status = 0
    try:
        exec(json.loads(line), {"__name__": "__main__"})
    except BaseException:
        status = 1
        traceback.print_exc(file=sys.stdout)
    print("\\n--- status", status, flush=True)`,
};

/**
 * Runs programs one after another in one process, because starting Node.js or Python takes longer than a sample. The
 * other languages start quickly: each program has a process of its own.
 */
export function startInterpreter(language: Language, env: Record<string, string>) {
  const text = interpreters[language];
  if (!text) return { run: (program: string) => runProgram(language, program, env), stop: async () => undefined };
  const [command = "", ...options] = commands[language];
  const child = spawn(command, [...options, text], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env } as unknown as NodeJS.ProcessEnv,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async run(program: string): Promise<Run> {
      child.stdin.write(`${JSON.stringify(await runnable(language, program))}\n`);
      const output: string[] = [];
      for (;;) {
        const { value: line, done } = await lines.next();
        if (done) throw new Error(`${command} ended: ${output.join("\n")}`);
        const status = /^--- status (\d)$/.exec(line)?.[1];
        if (status) return { status: Number(status), output: output.join("\n") };
        output.push(line);
      }
    },
    async stop(): Promise<void> {
      child.stdin.end();
      await ended;
    },
  };
}

async function runnable(language: Language, text: string): Promise<string> {
  if (language === "typescript") return (await transform(text, { loader: "ts", format: "esm" })).code;
  return language === "php" ? text.replace(/^<\?php\s/, "") : text;
}
