import autocannon from "autocannon";
import type { Server } from "./processes";

/** The same request to either server, for as many things as there are paths. */
export interface Task {
  name: string;
  method: "GET" | "POST";
  paths: string[];
  body?: string;
}

export interface Measurement {
  perSecond: number;
  p50: number;
  p99: number;
  /** CPU time of the server's process, microseconds per request. */
  cpu: number;
}

const connections = 16;

/** In place of a duration. The first page starts a process, which takes long on a busy machine: autocannon waits 10 seconds by default. */
const few = { amount: 64, timeout: 60 };

/**
 * Sends a task's requests for some seconds, each connection one after the other; with 0 seconds, a few requests.
 * @throws Error when anything but a success comes back: a fast refusal is no result
 */
export function load(server: Server, key: string, task: Task, seconds: number): Promise<Measurement> {
  const { url } = server;
  const headers: Record<string, string> = { authorization: `Bearer ${key}` };
  if (task.body) headers["content-type"] = "application/json";
  const requests = task.paths.map((path) => ({ method: task.method, path, headers, body: task.body }));
  // autocannon's own histogram counts whole milliseconds.
  const times: number[] = [];
  const length = seconds > 0 ? { duration: seconds } : few;
  const cpuBefore = server.cpuTime();
  return new Promise((resolve, reject) => {
    const run = autocannon({ url, connections, ...length, sampleInt: 100, requests }, (error, result) => {
      if (error) return reject(error);
      const total = result.requests.total;
      if (result.errors > 0 || result.non2xx > 0 || total === 0) {
        const counts = `${total} answers, ${result.non2xx} of them not 2xx, ${result.errors} errors`;
        return reject(new Error(`${task.name} at ${url}: ${counts}`));
      }
      times.sort((a, b) => a - b);
      const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
      const cpu = (server.cpuTime() - cpuBefore) / total;
      resolve({ perSecond: total / result.duration, p50: at(0.5), p99: at(0.99), cpu });
    });
    run.on("response", (_client: unknown, _status: number, _bytes: number, ms: number) => times.push(ms));
  });
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
