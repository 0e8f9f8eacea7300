import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { projectRoot } from "./migrate";
import { fail, onSignal, prepare, welcome } from "./prepare";

/** The framework's development server on the same database and environment as production's. */
async function main(): Promise<void> {
  const { env, release } = await prepare();
  await welcome(env);
  const next = spawn(
    process.execPath,
    [join(projectRoot, "node_modules/next/dist/bin/next"), "dev", "-p", String(env.PORT), "-H", env.HOST],
    { cwd: projectRoot, stdio: "inherit", env: { ...process.env, NODE_ENV: "development" } },
  );
  const ended = once(next, "exit");
  onSignal(async () => {
    next.kill("SIGTERM");
    await ended;
    await release();
  });
  const [code] = await ended;
  await release();
  process.exit(code ?? 1);
}

main().catch(fail);
