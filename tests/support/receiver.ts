import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";

export interface Received {
  path: string;
  id: string;
  headers: Record<string, string>;
  body: string;
  /** From performance.now(). */
  at: number;
}

type Answer = (received: Received, response: ServerResponse) => void;

const ok: Answer = (_, response) => response.end("ok");

/** A local webhook receiver. `answer` can be changed at any time. */
export async function startReceiver(first: Answer = ok, port = 0) {
  const received: Received[] = [];
  const receiver = { received, answer: first, url: "", verify, stop };
  const server = createServer((request, response) => void take(request, response));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;

  async function take(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = request.headers as Record<string, string>;
    const one = { path: request.url ?? "", id: headers["webhook-id"] ?? "", headers, at: performance.now() };
    const whole = { ...one, body: Buffer.concat(chunks).toString() };
    received.push(whole);
    receiver.answer(whole, response);
  }

  async function stop(): Promise<void> {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
  return receiver;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** The message, if this secret signed it. @throws WebhookVerificationError */
function verify<Message = Record<string, unknown>>(secret: string, { body, headers }: Received): Message {
  return new Webhook(secret).verify(body, headers) as Message;
}

/** Polls until `read` returns a value: less often after a second, so that a long wait costs little. */
export async function until<T>(
  what: string,
  read: () => T | Promise<T>,
  seconds = 60, // for a busy machine
): Promise<Exclude<T, false | null | undefined>> {
  for (const begun = Date.now(); ; await sleep(Date.now() - begun < 1_000 ? 40 : 200)) {
    const found = await read();
    if (found) return found as Exclude<T, false | null | undefined>;
    if (Date.now() - begun > seconds * 1000) throw new Error(`waited ${seconds} s in vain: ${what}`);
  }
}
