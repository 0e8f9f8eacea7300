// Preloaded into the server under test: while the file exists, the thread that renders receipts stands still at each of them.
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { parentPort } from "node:worker_threads";

const { RECEIPT_GATE = "" } = process.env;
const pollMs = 20;

function waitForGate() {
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (existsSync(RECEIPT_GATE)) Atomics.wait(never, 0, 0, pollMs);
}

if (parentPort && basename(process.argv[1] ?? "") === "receipt-thread.mjs") {
  const on = parentPort.on.bind(parentPort);
  parentPort.on = (event, listener) =>
    on(event, (...args) => {
      if (event === "message") waitForGate();
      listener(...args);
    });
}
