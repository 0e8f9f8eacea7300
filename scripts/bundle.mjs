import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
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

/** Bundles our own sources into one file. Packages stay in node_modules. */
const options = (mode, { entry = "server/main.ts", outfile, plugins = [] }) => ({
  absWorkingDir: root,
  entryPoints: [entry],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  alias: { "@": root },
  jsx: "automatic",
  sourcemap: "linked",
  logLevel: "silent",
  define: { "process.env.NODE_ENV": JSON.stringify(mode) },
  plugins: [...plugins, virtualRoutes],
});

export async function bundle({ entry, outfile = "dist/main.mjs", plugins } = {}) {
  await build(options("production", { entry, outfile, plugins }));
  await stop(); // otherwise esbuild's process would live as long as the server, which starts in this process
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
    ...options("development", { outfile, plugins: [notify] }),
    logLevel: "error",
  });
  await watched.watch();
  return () => watched.dispose();
}
