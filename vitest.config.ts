import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** CI repeats a failed test of a server once; npm test names those that needed it. Property tests are never repeated. */
const repeats = process.env.CI ? 1 : 0;

/** Small files that wait long. Vitest begins with large files, so the other workers would have nothing left to do meanwhile. */
const waitLong = ["tests/servers/pages-process.test.ts"];

class LongWaitsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification) => waitLong.some((file) => moduleId.endsWith(file));
    return [...new Set(sorted.map(({ project }) => project))].flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return [...own.filter(waits), ...own.filter((file) => !waits(file))];
    });
  }
}

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    maxWorkers: availableParallelism() + 1, // a test file waits more than it computes
    sequence: { sequencer: LongWaitsFirst },
    // The time is for a busy machine, as the times below. Most polls ask a server, which costs it as much as a test's own request.
    expect: { poll: { timeout: 60_000, interval: 100 } },
    projects: [
      // The time is for busy machines: some of these count millions of amounts.
      {
        extends: true,
        test: {
          name: "unit",
          include: ["tests/unit/**/*.test.{ts,tsx}", "tests/docs/references.test.ts"],
          testTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          name: "api",
          retry: repeats,
          isolate: false, // a worker imports each module once, not once for each file: a fifth of the time
          include: ["tests/api/**/*.test.ts"],
          globalSetup: "tests/support/server.ts",
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        // API tests that start servers of their own or change their process's configuration: isolated from each other.
        extends: true,
        test: {
          name: "servers",
          retry: repeats,
          include: ["tests/servers/**/*.test.ts", "tests/docs/commands.test.ts"],
          globalSetup: "tests/support/server.ts",
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        // What requests and pages cost where it can be counted: statements, round trips, bytes.
        extends: true,
        test: {
          name: "costs",
          include: ["tests/costs/**/*.test.ts"],
          globalSetup: "tests/costs/setup.ts",
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        // Each file has a server and a database of its own, and kills or weakens them.
        extends: true,
        test: {
          name: "faults",
          retry: repeats,
          include: ["tests/faults/**/*.test.ts"],
          globalSetup: "tests/support/server.ts",
          hookTimeout: 120_000,
        },
      },
      {
        // What differs behind the framework's own server, as under next start (docs/testing.md).
        extends: true,
        test: {
          name: "api-next",
          retry: repeats,
          include: ["tests/api/{standard,hostile,csv,unchanged}.test.ts"],
          globalSetup: "tests/support/server.ts",
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
