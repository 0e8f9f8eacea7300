import { existsSync, readdirSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

interface CallFrame {
  url: string;
  functionName: string;
  lineNumber: number;
  columnNumber: number;
}

interface Profile {
  nodes: { id: number; callFrame: CallFrame; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
}

// Where a function's code comes from says what its time was spent on. The first that fits counts.
const sources: [RegExp, string][] = [
  [/^node:internal\/(deps\/undici|webstreams|fetch|url|blob|abort)/, "Request, Response, URL"],
  [/^node:/, "node: HTTP, streams, timers"],
  [/node_modules\/(pg|pg-[\w-]+|postgres-[\w-]+)\//, "pg driver"],
  [/^wasm:|node_modules\/@?prisma\b/, "Prisma"],
  [/node_modules\/zod\//, "zod"],
  [/node_modules\/(pino|sonic-boom|fast-redact|@pinojs)\b/, "log"],
  [/node_modules\/rate-limiter-flexible\//, "rate limit"],
  [/node_modules\/(react|react-dom)\//, "React"],
  [
    /node_modules\/(fastify|@fastify|avvio|find-my-way|light-my-request|fast-[\w-]+|ajv|secure-json-parse)\b/,
    "Fastify",
  ],
  [/node_modules\/next\//, "framework"],
  [/./, "our own code"],
];

const sourceMaps = new Map<string, SourceMap>();

/**
 * The file that a function was written in: a bundle has those of packages, too.
 * @throws Error for a bundle without a source map, whose whole time would count as our own code's
 */
function sourceFile({ url, lineNumber, columnNumber }: CallFrame): string {
  if (!/^file:.*\/dist\//.test(url) || url.includes("/node_modules/")) return url;
  let map = sourceMaps.get(url);
  if (map === undefined) {
    const file = `${fileURLToPath(url)}.map`;
    if (!existsSync(file)) throw new Error(`${url} has no source map`);
    map = new SourceMap(JSON.parse(readFileSync(file, "utf8")));
    sourceMaps.set(url, map);
  }
  const entry = map.findEntry(lineNumber, columnNumber);
  return "originalSource" in entry ? entry.originalSource : url;
}

const byName = new Map([
  ...["writev", "writeBuffer", "writeUtf8String", "writeLatin1String"].map(
    (name) => [name, "writing to sockets"] as const,
  ),
  ["(garbage collector)", "garbage collection"],
  ["(program)", "native"],
  ["(idle)", ""],
]);

/**
 * What parts of its time the process spent on code from where, out of the profile that node --cpu-prof left. A builtin
 * (JSON.stringify, a regular expression) counts for whoever called it.
 * @param from milliseconds after the process's birth; what came before (start, warm-up) does not count
 */
export function splitProfile(dir: string, from: number, to: number): Map<string, number> {
  const file = readdirSync(dir).find((name) => name.endsWith(".cpuprofile"));
  if (!file) throw new Error(`no CPU profile in ${dir}`);
  const profile: Profile = JSON.parse(readFileSync(join(dir, file), "utf8"));
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const kind = new Map<number, string>();
  const walk = (id: number, inherited: string): void => {
    const node = nodes.get(id);
    if (!node) return;
    const file = sourceFile(node.callFrame);
    const own =
      byName.get(node.callFrame.functionName) ??
      (file ? sources.find(([pattern]) => pattern.test(file))?.[1] : undefined);
    kind.set(id, own ?? inherited);
    for (const child of node.children ?? []) walk(child, own ?? inherited);
  };
  const root = profile.nodes[0];
  if (root) walk(root.id, "native");

  const parts = new Map<string, number>();
  let at = 0;
  let busy = 0;
  for (const [index, sample] of profile.samples.entries()) {
    const took = profile.timeDeltas[index] ?? 0;
    at += took;
    const name = kind.get(sample);
    if (!name || at < from * 1000 || at >= to * 1000) continue;
    busy += took;
    parts.set(name, (parts.get(name) ?? 0) + took);
  }
  for (const [name, took] of parts) parts.set(name, took / busy);
  return parts;
}
