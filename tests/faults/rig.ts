import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, launch, paydesk } from "@/tests/support/launch";
import { createDatabase } from "@/tests/support/postgres";

/** Removes a protection from our sources: in `file`, `find` becomes `replace`. */
export interface Mutation {
  file: string;
  find: string;
  replace: string;
}

/** The last errors logged by this file's servers, for debugging a failed fault. */
export const errorsLogged: string[] = [];

function keepErrors(text: string): void {
  for (const line of text.split("\n")) if (line.startsWith('{"level":"error"')) errorsLogged.push(line.slice(0, 2_000));
  errorsLogged.splice(0, errorsLogged.length - 5);
}

export type Rig = Awaited<ReturnType<typeof startRig>>;

/**
 * Starts a server of the production build on its own database. lib/core/db of this process uses the same database:
 * start one rig at a time, before a test file's first query.
 * @param log receives the server's log; without it only the last errors are kept
 */
export async function startRig(settings: Record<string, string> = {}, log?: (text: string) => void) {
  const DATABASE_URL = settings.DATABASE_URL ?? (await createDatabase());
  const port = await freePort();
  const APP_SECRET = randomBytes(32).toString("base64url");
  const dataDir = mkdtempSync(join(tmpdir(), "paydesk-faults-"));
  const env = {
    DATABASE_URL,
    DATA_DIR: dataDir,
    APP_SECRET,
    PORT: String(port),
    RATE_LIMIT_PER_MINUTE: "1000000",
    ADDRESS_FAILURES_PER_MINUTE: "1000000",
    TRUST_PROXY: "1",
    LOG_LEVEL: "warn",
    ...settings,
  };
  const url = `http://localhost:${port}`;
  Object.assign(process.env, { TEST_URL: url, APP_URL: url, DATABASE_URL, APP_SECRET });
  const start = (file?: string) => launch(env, paydesk(file), log ?? keepErrors);
  let server = await start();
  let weakened: string | undefined;
  return {
    url,
    dataDir,
    /** The server's process now. */
    pid: () => server.pid,
    /** Restarts the server from a build without a protection. */
    async weaken(name: string, mutations: Mutation[]): Promise<void> {
      await server.stop();
      weakened = await mutant(name, mutations);
      server = await start(weakened);
    },
    /**
     * Kills the server with SIGKILL and restarts it on the same port, from the production build or a variant.
     * @returns a time between the two
     */
    async powerCut(build?: string): Promise<Date> {
      await server.kill();
      const deadAt = new Date();
      server = await start(build);
      return deadAt;
    },
    /** Stops the server for `work`, then starts the same build again. */
    async whileStopped(work: () => Promise<void>): Promise<void> {
      await server.stop();
      await work();
      server = await start(weakened);
    },
    async stop(): Promise<void> {
      await server.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** The changed sources by path. @throws Error when `find` is not in its file exactly once */
export function mutated(mutations: Mutation[]): Map<string, string> {
  const files = new Map<string, string>();
  for (const { file, find, replace } of mutations) {
    const path = join(process.cwd(), file);
    const text = files.get(path) ?? readFileSync(path, "utf8");
    if (text.split(find).length !== 2) throw new Error(`${file} does not have this just once: ${find}`);
    files.set(
      path,
      text.replace(find, () => replace),
    );
  }
  return files;
}

/** Builds the server from changed sources. @returns the bundle's path */
async function mutant(name: string, mutations: Mutation[]): Promise<string> {
  const outfile = `dist/mutant-${name}.mjs`;
  const files = mutated(mutations);
  const { bundle } = await import("@/scripts/bundle.mjs"); // only controls need esbuild
  await bundle({
    outfile,
    plugins: [
      {
        name: "mutations",
        setup(build: import("esbuild").PluginBuild) {
          build.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
            const contents = files.get(path);
            return contents === undefined ? undefined : { contents, loader: path.endsWith("x") ? "tsx" : "ts" };
          });
        },
      },
    ],
  });
  return outfile;
}
