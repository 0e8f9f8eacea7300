import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, stop } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Every app/**\/route.ts with the path it answers; folders in parentheses are not part of a path. */
function routeFiles(folder = "app") {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && `${folder}/${entry.name}` !== "app/api/auth")
    .flatMap(({ name }) => {
      const below = `${folder}/${name}`;
      const path = below
        .split("/")
        .slice(1)
        .filter((segment) => !segment.startsWith("("))
        .join("/");
      const own = existsSync(join(root, below, "route.ts")) ? [{ path: `/${path}`, file: `./${below}/route.ts` }] : [];
      return [...own, ...routeFiles(below)];
    });
}

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
  setup(context) {
    context.onResolve({ filter: /^virtual:routes$/ }, ({ path }) => ({ path, namespace: "virtual-routes" }));
    context.onLoad({ filter: /.*/, namespace: "virtual-routes" }, () => ({
      contents: routesModule(),
      resolveDir: root,
      loader: "js",
    }));
  },
};

/** The server as one file, dist/main.mjs: our own sources; packages stay in node_modules. */
export async function bundle({ entry = "server/main.ts", outfile = "dist/main.mjs", plugins = [] } = {}) {
  await build({
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
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [...plugins, virtualRoutes],
  });
  await stop(); // its helper process would live as long as the server that we go on to be
}
