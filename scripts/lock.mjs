import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Identifies a process by its id and start time, because ids are reused. */
function identity(pid) {
  let startTime = "";
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    startTime = stat.slice(stat.lastIndexOf(")")).split(" ")[20] ?? "";
  } catch {
    // no /proc on this system, or no such process
  }
  return `${pid} ${startTime}`;
}

function isRunning(owner) {
  const pid = Number(owner.split(" ")[0]);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return false;
  }
  return identity(pid) === owner;
}

/** Runs `work` while it holds a lock file, one process at a time. Takes over the lock of a dead process. */
export async function holdLock(lock, work) {
  const ownFile = `${lock}.${process.pid}`;
  writeFileSync(ownFile, identity(process.pid));
  let held = false;
  const release = () => {
    rmSync(ownFile, { force: true });
    if (held) rmSync(lock, { force: true });
    held = false;
  };
  process.once("exit", release);
  try {
    for (let notified = false; ; ) {
      try {
        linkSync(ownFile, lock);
        held = true;
        removeFilesOfDead(lock);
        break;
      } catch (error) {
        if (error.code !== "EEXIST") throw error;
      }
      const owner = readOwner(lock);
      if (owner !== null && !isRunning(owner)) {
        removeStale(lock, `${ownFile}.stale`, owner);
        continue;
      }
      // On standard error: a script may read what a command prints.
      if (!notified) console.error("  Waiting for another build in this checkout …");
      notified = true;
      await sleep(300);
    }
    return await work();
  } finally {
    release();
    process.off("exit", release);
  }
}

function readOwner(lock) {
  try {
    return readFileSync(lock, "utf8");
  } catch {
    return null;
  }
}

/** Removes a dead process's lock. If another process has taken it over since `owner` was read, puts that one's lock back. */
function removeStale(lock, stale, owner) {
  try {
    renameSync(lock, stale);
    if (readOwner(stale) !== owner) linkSync(stale, lock);
  } catch {
    // another process has removed it first, or holds it by now
  }
  rmSync(stale, { force: true });
}

/** Processes that were killed leave the files that they prepared. */
function removeFilesOfDead(lock) {
  for (const name of readdirSync(dirname(lock))) {
    if (!name.startsWith(`${basename(lock)}.`)) continue;
    const file = join(dirname(lock), name);
    const owner = readOwner(file);
    if (owner !== null && !isRunning(owner)) rmSync(file, { force: true });
  }
}
