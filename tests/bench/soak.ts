/** Whether memory grows: all kinds of requests in turns for some time. docs/performance.md says how to read it. */
import { ok } from "node:assert/strict";
import type { Client } from "pg";
import { load, type Task } from "./load";
import type { Server } from "./processes";
import { mostMb, printTable } from "./report";
import { sampleIds } from "./seed";

interface Options {
  client: Client;
  businessId: number;
  key: string;
  check: boolean;
  minutes: number;
  startServer(): Promise<Server>;
}

/** Of each minute, in seconds. The last one opens the dashboard, whose pages are made by a process of their own. */
const tasksOf = (ids: string[]): [Task, seconds: number][] => [
  [{ name: "get link", method: "GET", paths: ids.map((id) => `/api/payment-links/${id}`) }, 20],
  [
    {
      name: "lists",
      method: "GET",
      paths: ["payment-links", "payments", "subscriptions"].map((list) => `/api/${list}`),
    },
    20,
  ],
  [{ name: "pay page", method: "GET", paths: ids.map((id) => `/pay?id=${id}`) }, 15],
  [{ name: "create link", method: "POST", paths: ["/api/payment-links"], body: newLink }, 3],
  [{ name: "sign-in page", method: "GET", paths: ["/login"] }, 2],
];

const newLink = JSON.stringify({ email: "ada@example.com", currency: "EUR", amount: "1050", title: "Order 1001" });

/** @throws AssertionError when a process has more memory at the end than the goal allows */
export async function benchSoak({ client, businessId, key, check, minutes, startServer }: Options): Promise<void> {
  const server = await startServer();
  const tasks = tasksOf(await sampleIds(client, businessId, 64));
  const lines: string[][] = [];
  let requests = 0;
  for (let minute = 1; minute <= minutes; minute++) {
    for (const [task, seconds] of tasks) {
      const { perSecond } = await load(server, key, task, check ? 0 : seconds);
      requests += perSecond * seconds;
    }
    const memory = server.memory();
    lines.push([String(minute), Math.round(requests).toLocaleString("en"), ...memory.map(String)]);
    ok(
      memory.every((mb) => mb <= mostMb),
      `${memory.join(" and ")} MB after ${minute} minutes`,
    );
  }
  await server.stop();
  if (check) return;
  const shown = lines.filter((_, index) => index % 5 === 0 || index === lines.length - 1);
  printTable([["minute", "requests", "server, MB", "pages of the dashboard, MB"], ...shown]);
}
