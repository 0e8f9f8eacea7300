import { build, giveUp, install, locked, needNode } from "./steps.mjs";

needNode();
await locked(async () => {
  await install();
  await build();
}).catch(giveUp);
