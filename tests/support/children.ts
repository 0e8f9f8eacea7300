import { existsSync, readdirSync, readFileSync } from "node:fs";

/** The processes that a process has started, with their arguments (proc(5)). */
export function childrenOf(parent: number): { pid: number; args: string[] }[] {
  if (!existsSync("/proc")) return []; // not Linux
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const [state, ppid] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        if (Number(ppid) !== parent || state === "Z") return [];
        return [{ pid: Number(name), args: readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0") }];
      } catch {
        return []; // it has just ended
      }
    });
}
