import next from "next";
import { startFront } from "./front";
import { projectRoot } from "./migrate";
import { fail, onSignal, portError, prepare, welcome } from "./prepare";

async function main(): Promise<void> {
  const { env, release } = await prepare();
  const stopping: (() => Promise<void>)[] = [release];
  const stop = async () => {
    for (const step of stopping.toReversed()) await step();
  };
  try {
    const app = next({ dev: false, dir: projectRoot, hostname: env.HOST, port: env.PORT });
    await app.prepare();
    const front = await startFront({ port: env.PORT, host: env.HOST, pages: app.getRequestHandler() }).catch(
      (error: NodeJS.ErrnoException) => {
        throw portError(error, env.PORT, env.HOST);
      },
    );
    stopping.push(front.close);
    onSignal(stop);
    await welcome(env);
  } catch (error) {
    await stop();
    throw error;
  }
}

main().catch(fail);
