import { defineConfig } from "@playwright/test";

const { CHROMIUM_PATH, TEST_URL } = process.env;

/** One project: Playwright starts workers anew for another project, and each takes seconds to load the tests' modules. */
export default defineConfig({
  testDir: "tests/e2e",
  globalSetup: "./tests/support/server.ts",
  outputDir: "test-results",
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: process.env.CI ? 1 : 0, // npm test names the tests that needed it
  reporter: "line",
  // The times are for busy machines: CI has been seen to need three times as long as a quiet one.
  timeout: 180_000,
  expect: { timeout: 40_000 },
  workers: 3, // on two cores: while one test waits, for a job or a toast, the others have the processor
  use: {
    browserName: "chromium",
    viewport: { width: 1280, height: 800 },
    baseURL: TEST_URL, // set by the global setup, before the workers read this file again
    actionTimeout: 40_000,
    // A trace costs a quarter of the time, so it is asked for: npx playwright test --trace retain-on-failure
    trace: "off",
    screenshot: "only-on-failure",
    contextOptions: { reducedMotion: "reduce" }, // nothing slides or fades, so that nothing waits for it
    launchOptions: {
      executablePath: CHROMIUM_PATH || undefined,
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    },
  },
});
