import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    projects: [
      // The time is for busy machines: some of these count millions of amounts.
      {
        extends: true,
        test: {
          name: "unit",
          include: ["tests/unit/**/*.test.{ts,tsx}", "tests/docs/references.test.ts"],
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "api",
          include: ["tests/api/**/*.test.ts", "tests/docs/commands.test.ts"],
          globalSetup: "tests/support/server.ts",
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        // What requests and pages cost where it can be counted: statements, round trips, bytes.
        extends: true,
        test: {
          name: "costs",
          include: ["tests/costs/**/*.test.ts"],
          globalSetup: "tests/costs/setup.ts",
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Each file has a server and a database of its own, and kills or weakens them: one at a time.
        extends: true,
        test: {
          name: "faults",
          include: ["tests/faults/**/*.test.ts"],
          fileParallelism: false,
          hookTimeout: 120_000,
        },
      },
      {
        // The same questions of the same routes behind the framework's own layer, as under next start. What is left out
        // asks the front server itself, or starts servers of its own.
        extends: true,
        test: {
          name: "api-next",
          include: ["tests/api/**/*.test.ts"],
          exclude: [
            "tests/api/{migrate,front,compression,limits,outage,drain,halves,sweep,api-key,sign-in,account,registration,team,audit-log,request-log,books,gateway-sandbox,gateway-stripe,gateway-command,mail,mail-lanes,mail-smtp,webhooks,webhooks-fair,receive-command}.test.ts",
          ],
          globalSetup: "tests/support/next-server.ts",
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
});
