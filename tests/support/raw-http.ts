import { connect } from "node:net";

export interface RawReply {
  /** 0 if the connection ended without a response. */
  status: number;
  ms: number;
  /** The response's beginning. */
  head: string;
  /** Whether the server took every byte. If not, a client over a network may have lost the response. */
  taken: boolean;
}

/**
 * Sends bytes as they are, and reads until the server has ended the connection.
 * @param hangUp whether to close the connection right after the bytes
 */
export function sendRaw(
  url: string,
  bytes: readonly (string | Buffer)[],
  { hangUp = false, limitMs = 15_000 } = {},
): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  const started = performance.now();
  return new Promise((resolve) => {
    let text = "";
    let taken = false;
    let ended = false;
    const finish = () => {
      clearTimeout(late);
      socket.destroy();
      const status = Number(/^(?:HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
      resolve({ status, ms: performance.now() - started, head: text.slice(0, 2_000), taken });
    };
    const late = setTimeout(finish, limitMs);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }, async () => {
      for (const part of bytes)
        if (!socket.write(part)) await Promise.race([closed, new Promise((drained) => socket.once("drain", drained))]);
      taken = !socket.destroyed;
      if (hangUp || ended) finish();
    });
    const closed = new Promise((gone) => socket.once("close", gone));
    socket.on("data", (chunk: Buffer) => {
      if (text.length < 2_000) text += chunk.toString("latin1");
    });
    socket.on("error", () => undefined); // what has arrived counts
    socket.once("close", finish);
    socket.once("end", () => {
      ended = true;
      if (taken) finish();
    });
  });
}
