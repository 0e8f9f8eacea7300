import { defineConfig } from "@playwright/test";
import tests from "@/playwright.config";

/** Not a test: npm run screenshots. */
export default defineConfig({
  ...tests,
  testDir: ".",
  testMatch: "*.shots.ts",
  globalSetup: "../support/server.ts",
  outputDir: "../../test-results",
  timeout: 120_000,
  projects: [
    { name: process.env.SHOTS === "docs" ? "docs" : "pages", testMatch: `${process.env.SHOTS ?? "pages"}.shots.ts` },
  ],
});
