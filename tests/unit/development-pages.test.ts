import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it } from "vitest";
import { developmentPages } from "@/server/pages";

const servers: Server[] = [];
afterAll(() => Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve)))));

async function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

it("waits for a page that compiles for longer than Node's global agent waits", { timeout: 30_000 }, async () => {
  const next = await listen((_, response) => setTimeout(() => response.end("compiled"), 6_000));
  const pages = developmentPages(next);
  const front = await listen(
    (request, response) => void pages.handle(request, response).catch(() => response.end("lost")),
  );
  expect(await fetch(`http://127.0.0.1:${front}/`).then((reply) => reply.text())).toBe("compiled");
  await pages.close();
});
