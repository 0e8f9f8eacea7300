import { request } from "node:http";
import Stripe from "stripe";
import type { Book } from "./books";
import type { Random } from "./faults";

type Delivery = { book: Book; endpoint: string; event: Stripe.EventBase };

const pauses = [0, 100, 300];
const signer = new Stripe("sk_test_signer");

/** Sends events to endpoints: immediately and concurrently, or, while paused, when the test calls `deliver`. */
export class Callbacks {
  private queue: Delivery[] = [];
  private readonly flying = new Set<Promise<void>>();
  private held = false;
  private closed = false;

  constructor(private readonly random: (seed: number) => Random) {}

  get paused(): boolean {
    return this.held;
  }

  /** Ending a pause sends all queued events. */
  set paused(value: boolean) {
    this.held = value;
    if (!value) for (const delivery of this.queue.splice(0)) void this.launch(delivery);
  }

  /** Deliveries that have not ended. */
  pending(): number {
    return this.queue.length + this.flying.size;
  }

  add(book: Book, endpoint: string, event: Stripe.EventBase): void {
    if (this.held) this.queue.push({ book, endpoint, event });
    else void this.launch({ book, endpoint, event });
  }

  /** Sends all queued events sequentially, `copies` times each, in an order drawn from `shuffle`. */
  async deliver(options: { shuffle?: number; copies?: number } = {}): Promise<void> {
    const due = this.queue.splice(0).flatMap((delivery) => Array<Delivery>(options.copies ?? 1).fill(delivery));
    if (options.shuffle !== undefined) {
      const random = this.random(options.shuffle);
      const drawn = due.map((delivery) => ({ delivery, at: random() })).sort((a, b) => a.at - b.at);
      due.splice(0, due.length, ...drawn.map(({ delivery }) => delivery));
    }
    for (const delivery of due) await this.launch(delivery);
  }

  /** Waits until no delivery is in flight. Ignores paused ones. */
  async waitIdle(): Promise<void> {
    while (this.flying.size > 0) await Promise.all(this.flying);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.queue = [];
    await this.waitIdle();
  }

  private launch(delivery: Delivery): Promise<void> {
    const flight = this.attempt(delivery).finally(() => this.flying.delete(flight));
    this.flying.add(flight);
    return flight;
  }

  private async attempt({ book, endpoint, event }: Delivery): Promise<void> {
    for (const pause of pauses) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      const to = book.endpoints.get(endpoint);
      const secret = book.secrets.get(endpoint);
      if (this.closed || !to || !secret || to.status !== "enabled") return;
      const payload = JSON.stringify(event, null, 2);
      const header = signer.webhooks.generateTestHeaderString({ payload, secret });
      if (await post(to.url, payload, header)) {
        event.pending_webhooks = Math.max(0, event.pending_webhooks - 1);
        return;
      }
    }
  }
}

/** Whether the endpoint accepted it: any 2xx within five seconds, without a redirect. */
function post(url: string, payload: string, signature: string): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": Buffer.byteLength(payload),
      "Stripe-Signature": signature,
      "User-Agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
    };
    const sent = request(url, { method: "POST", headers, agent: false, timeout: 5000 }, (response) => {
      response.resume();
      response.on("error", () => resolve(false));
      response.on("end", () => resolve(Math.floor((response.statusCode ?? 500) / 100) === 2));
    });
    sent.on("timeout", () => sent.destroy(new Error("timeout")));
    sent.on("error", () => resolve(false));
    sent.end(payload);
  });
}
