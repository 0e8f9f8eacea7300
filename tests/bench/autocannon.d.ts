/** The part of autocannon that the benchmark uses; the package brings no types. */
declare module "autocannon" {
  import type { EventEmitter } from "node:events";

  interface Options {
    url: string;
    connections: number;
    duration?: number;
    amount?: number;
    sampleInt: number;
    requests: { method: string; path: string; headers: Record<string, string>; body?: string }[];
  }

  interface Result {
    duration: number;
    errors: number;
    non2xx: number;
    requests: { total: number };
  }

  export default function autocannon(
    options: Options,
    done: (error: Error | null, result: Result) => void,
  ): EventEmitter;
}
