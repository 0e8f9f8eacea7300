import { setTimeout as sleep } from "node:timers/promises";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { freePort } from "./launch";

export interface Delivered {
  /** Of the envelope. */
  from: string;
  to: string[];
  raw: string;
  mail: Email;
  /** When, in milliseconds. */
  at: number;
}

/** What the server says to a recipient, or to a whole message: 250 without it. */
interface Refusal {
  code: number;
  text: string;
}

/** A mail server that accepts all mails until it is configured otherwise. It can stop and restart on the same port. */
export async function startSmtp() {
  const port = await freePort();
  const delivered: Delivered[] = [];
  const behaviour: {
    rcpt?: (address: string) => Refusal | undefined;
    data?: (raw: string) => Refusal | undefined;
    /** Milliseconds before a message is taken. */
    slow?: number;
  } = {};
  const refuse = ({ code, text }: Refusal) => Object.assign(new Error(text), { responseCode: code });
  let server: SMTPServer | undefined;

  async function start(): Promise<void> {
    server = new SMTPServer({
      authOptional: true,
      closeTimeout: 100, // milliseconds; then it cuts the connections that wait for more
      disabledCommands: ["STARTTLS", "AUTH"],
      onRcptTo: ({ address }, _session, done) => {
        const refusal = behaviour.rcpt?.(address);
        done(refusal ? refuse(refusal) : null);
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          void (async () => {
            if (behaviour.slow) await sleep(behaviour.slow);
            const raw = Buffer.concat(chunks).toString("utf8");
            const refusal = behaviour.data?.(raw);
            if (refusal) return done(refuse(refusal));
            const { mailFrom, rcptTo } = session.envelope;
            delivered.push({
              from: mailFrom ? mailFrom.address : "",
              to: rcptTo.map(({ address }) => address),
              raw,
              mail: await PostalMime.parse(raw),
              at: Date.now(),
            });
            done();
          })();
        });
      },
    });
    // Connections that are cut are what some tests are about.
    server.on("error", () => undefined);
    await new Promise<void>((resolve, reject) => {
      server?.once("error", reject);
      server?.listen(port, "127.0.0.1", resolve);
    });
  }

  async function stop(): Promise<void> {
    const closing = server;
    server = undefined;
    if (closing) await new Promise<void>((resolve) => closing.close(() => resolve()));
  }

  await start();
  return { port, url: `smtp://127.0.0.1:${port}`, delivered, behaviour, start, stop };
}
