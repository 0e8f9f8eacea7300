import { defineConfig } from "@playwright/test";

const { CHROMIUM_PATH, TEST_URL } = process.env;
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

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
  projects: [
    { name: "desktop", testIgnore: "*.phone.spec.ts", use: { viewport: { width: 1280, height: 800 } } },
    // The dashboard's tests choose their own widths, because it looks different on a phone.
    { name: "phone", testMatch: "*.phone.spec.ts", use: phone },
    // The payers' pages have no scripts: on a phone only their widths and contrasts can differ. R3 pays on one.
    { name: "payer's phone", testMatch: "payer.spec.ts", grep: /nothing wider than the screen/, use: phone },
  ],
});
