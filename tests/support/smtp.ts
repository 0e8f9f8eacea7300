import { setTimeout as sleep } from "node:timers/promises";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { freePort } from "./launch";

/** Settings without the limits of mails (lib/outbox/mail/budget.ts), for tests of everything else. */
export const manyMails = {
  MAIL_WITHOUT_GATEWAY: "1",
  MAILS_PER_DAY: "1000000",
  MAILS_PER_RECIPIENT_PER_DAY: "1000000",
};

export interface Delivered {
  /** The envelope's sender. */
  from: string;
  to: string[];
  raw: string;
  mail: Email;
  /** Milliseconds since 1970. */
  at: number;
}

/** The reply to a recipient or a message; 250 without it. */
interface Refusal {
  code: number;
  text: string;
}

/**
 * A mail server that accepts every mail until `behaviour` changes. It can stop and restart on the same port.
 * @param login without it, the server asks for none
 */
export async function startSmtp(login?: { user: string; pass: string }) {
  const port = await freePort();
  const delivered: Delivered[] = [];
  const behaviour: {
    rcpt?: (address: string) => Refusal | undefined;
    data?: (raw: string) => Refusal | undefined;
    /** Delay before a message is accepted, in milliseconds. */
    slow?: number;
    /** Whether the right login is accepted; by default it is. */
    login?: () => boolean;
  } = {};
  const counts = { refusedLogins: 0 };
  const refuse = ({ code, text }: Refusal) => Object.assign(new Error(text), { responseCode: code });
  let server: SMTPServer | undefined;
  let [receiving, stopping] = [0, false];

  async function start(): Promise<void> {
    server = new SMTPServer({
      authOptional: !login,
      allowInsecureAuth: true,
      closeTimeout: 100, // milliseconds; then open connections are closed
      disabledCommands: login ? ["STARTTLS"] : ["STARTTLS", "AUTH"],
      onAuth: ({ username, password }, _session, done) => {
        const accepted = username === login?.user && password === login?.pass && behaviour.login?.() !== false;
        if (!accepted) counts.refusedLogins++;
        done(accepted ? null : new Error("Invalid login"), accepted ? { user: username } : undefined);
      },
      onRcptTo: ({ address }, _session, done) => {
        const refusal = behaviour.rcpt?.(address);
        done(refusal ? refuse(refusal) : null);
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          void (async () => {
            if (stopping) return done(refuse({ code: 421, text: "4.3.2 shutting down" }));
            receiving++;
            if (behaviour.slow) await sleep(behaviour.slow);
            const raw = Buffer.concat(chunks).toString("utf8");
            const refusal = behaviour.data?.(raw);
            const mail = await PostalMime.parse(raw);
            receiving--;
            if (refusal) return done(refuse(refusal));
            const { mailFrom, rcptTo } = session.envelope;
            const [from, to] = [mailFrom ? mailFrom.address : "", rcptTo.map(({ address }) => address)];
            delivered.push({ from, to, raw, mail, at: Date.now() });
            done();
          })();
        });
      },
    });
    // Some tests close connections on purpose.
    server.on("error", () => undefined);
    await new Promise<void>((resolve, reject) => {
      server?.once("error", reject);
      server?.listen(port, "127.0.0.1", resolve);
    });
  }

  /** Replies to every message that it has read: a mail that is delivered but not confirmed is rightly sent again. */
  async function stop(): Promise<void> {
    const closing = server;
    server = undefined;
    stopping = true;
    while (receiving > 0) await sleep(5);
    if (closing) await new Promise<void>((resolve) => closing.close(() => resolve()));
    stopping = false;
  }

  await start();
  return Object.assign(counts, { port, url: `smtp://127.0.0.1:${port}`, delivered, behaviour, start, stop });
}
