import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { createBookshop } from "@/tests/support/bookshop";
import { createMerchant } from "@/tests/support/factory";
import { launch } from "@/tests/support/launch";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";

export interface Targets {
  url: string;
  /** A key of the test mode, for `Authorization: Bearer`. */
  key: string;
  /** The Cookie header of the bookshop's owner. */
  cookie: string;
  /** An open payment link. */
  link: string;
  answers: () => Answers;
  stop: () => Promise<void>;
}

export interface Answers {
  requests: number;
  /** Method, path and status of each response from 500 on. */
  faults: string[];
}

/** Forwards everything to a port and counts the answers: the pages' are in no log. */
async function startCounter(port: () => number) {
  const seen: Answers = { requests: 0, faults: [] };
  const server = createServer((from, to) => {
    const { method, url, headers } = from;
    const forwarded = request({ port: port(), method, path: url, headers }, (answer) => {
      seen.requests++;
      const status = answer.statusCode ?? 0;
      if (status >= 500) seen.faults.push(`${method} ${url} ${status}`);
      to.writeHead(status, answer.rawHeaders);
      answer.pipe(to);
    });
    forwarded.on("error", (error) => {
      seen.faults.push(`${method} ${url} ${error.message}`);
      to.destroy();
    });
    from.pipe(forwarded);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, url: `http://localhost:${(server.address() as AddressInfo).port}`, seen };
}

/** Starts the production build with a bookshop's data, behind a server that counts its answers. Limits are raised. */
export async function startTargets(): Promise<Targets> {
  let port = 0;
  const counter = await startCounter(() => port);
  const settings = {
    DATABASE_URL: await createDatabase(),
    APP_SECRET: randomBytes(32).toString("base64url"),
    APP_URL: counter.url,
    NEXTAUTH_URL: counter.url,
    RATE_LIMIT_PER_MINUTE: "1000000",
    ADDRESS_FAILURES_PER_MINUTE: "1000000",
    TRUST_PROXY: "1",
  };
  Object.assign(process.env, settings, { NEXTAUTH_SECRET: settings.APP_SECRET });
  process.env.DATABASE_MIGRATE_URL = ownerUrl(settings.DATABASE_URL);
  const paydesk = await launch(settings);
  port = Number(new URL(paydesk.url).port);
  process.env.TEST_URL = counter.url;
  const [{ key }, shop] = [await createMerchant(), await createBookshop()];
  return {
    url: counter.url,
    key,
    cookie: shop.cookie,
    link: shop.links.active,
    answers: () => structuredClone(counter.seen),
    stop: async () => {
      counter.server.closeAllConnections();
      counter.server.close();
      await paydesk.stop();
    },
  };
}
