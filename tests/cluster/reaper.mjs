// Ends a cluster's processes and removes its folder when standard input ends, so also when the test is killed: reaper.mjs FOLDER
import { readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const [, , folder] = process.argv;
if (!folder) throw new Error("Usage: node tests/cluster/reaper.mjs FOLDER");

/** Processes get CLUSTER_FOLDER. PostgreSQL's overwrite their environment with their titles, and work in the folder (proc(5)). */
function isOfCluster(pid) {
  try {
    if (`${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`)) return true;
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`CLUSTER_FOLDER=${folder}`);
  } catch {
    return false; // it has just ended, or is another user's
  }
}

function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it has just ended
  }
}

await new Promise((resolve) => process.stdin.resume().once("end", resolve));
for (let round = 0; round < 50; round++) {
  const found = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isOfCluster(name));
  if (found.length === 0) break;
  for (const pid of found) kill(Number(pid));
  await sleep(100);
}
if (!process.env.KEEP_CLUSTER) rmSync(folder, { recursive: true, force: true });
