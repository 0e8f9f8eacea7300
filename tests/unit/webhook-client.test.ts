import { getEventListeners, once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { post } from "@/lib/outbox/webhooks/client";

let connections = 0;
const canary = createServer((socket) => {
  connections++;
  socket.destroy();
});
let port: number;
beforeAll(async () => {
  canary.listen(0, "127.0.0.1");
  await once(canary, "listening");
  port = (canary.address() as AddressInfo).port;
});
afterAll(() => void canary.close());

const send = (url: string, local: boolean) => post(url, {}, "{}", { local });

it.each(["localhost", "127.0.0.1", "0x7f.1", "[::ffff:127.0.0.1]", "0.0.0.0"])(
  "does not connect to %s where localhost is not allowed",
  async (host) => {
    for (const scheme of ["http", "https"])
      expect(await send(`${scheme}://${host}:${port}/`, false)).toMatchObject({
        status: null,
        error: expect.any(String),
      });
    expect(connections).toBe(0);
  },
);

it("connects to localhost where it is allowed and named in the URL", async () => {
  expect((await send(`http://0.0.0.0:${port}/`, true)).error).toBe("The address is not https.");
  expect((await send(`https://[::ffff:127.0.0.1]:${port}/`, true)).error).toBe(
    "The address is not on the public internet.",
  );
  expect((await send(`http://a@127.0.0.1:${port}/`, true)).error).toBe("The address has a user in it.");
  expect(connections).toBe(0);
  expect((await send(`http://localhost:${port}/`, true)).error).toBe(
    "The connection was closed before the answer was complete.",
  );
  expect(connections).toBe(1);
});

it("stops while it connects, without waiting for the connection", async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket.on("error", () => undefined))); // never speaks TLS
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  const stopping = new AbortController();
  const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  const answer = post(url, {}, "{}", { local: true, stopping: stopping.signal });
  await expect.poll(() => sockets.length).toBe(1);
  stopping.abort();
  expect(await answer).toMatchObject({ status: null, error: expect.any(String) });
  expect(sockets[0]?.destroyed).toBe(false); // its connection has not ended: nothing waited for that
  sockets[0]?.destroy();
  silent.close();
});

it("leaves no listener on a signal when a request has ended: the signal would stay as long as the worker", async () => {
  const shop = createHttpServer((_, response) => response.end("ok"));
  shop.listen(0, "127.0.0.1");
  await once(shop, "listening");
  const ofRequests = vi.spyOn(AbortSignal, "any").mock;
  const stopping = new AbortController().signal;
  for (const to of [(shop.address() as AddressInfo).port, port])
    for (let n = 0; n < 10; n++) await post(`http://127.0.0.1:${to}/`, {}, "{}", { local: true, stopping });
  shop.close();
  const signals = [stopping, ...ofRequests.results.map(({ value }) => value as AbortSignal)];
  expect(signals).toHaveLength(21);
  await expect.poll(() => signals.flatMap((signal) => getEventListeners(signal, "abort"))).toEqual([]);
});
