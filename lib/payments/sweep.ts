import { db } from "../db";
import { log } from "../log";
import { openStatuses } from "./attempt";
import { cancelChallenge, reconcilePayment } from "./reconcile";

/** Age in seconds from which an open attempt is asked about: its own request has usually ended by then. */
const askAfter = 5;
/** Age in seconds at which a bank's confirmation that nobody gave is given up, so that the link can be paid otherwise. */
const giveUpAfter = 30 * 60;
const atOnce = 100;

interface Open {
  id: string;
  status: string;
  /** Seconds since it began. */
  age: number;
}

/** Open attempts that are due, by id, which sorts by creation; after `last`, so that a round comes to all of them. */
function due(last: string): Promise<Open[]> {
  return db.$queryRaw<Open[]>`
    SELECT id, status, extract(epoch FROM clock_timestamp() - created_at)::float8 AS age FROM payment
     WHERE status = ANY(${[...openStatuses]}::text[]) AND id > ${last}
       AND created_at < clock_timestamp() - make_interval(secs => ${askAfter})
     ORDER BY id LIMIT ${atOnce}`;
}

/**
 * Settles what no payer came back for: a crash between charge and settle, a reply that was lost, a challenge that was
 * answered or abandoned in a closed tab. What the gateway does not know yet waits for the next round.
 */
export async function sweepPayments(): Promise<void> {
  let last = "";
  for (let open = await due(last); open.length > 0; open = await due(last)) {
    for (const { id, age, status } of open) {
      last = id;
      try {
        await reconcilePayment(id);
        if (status === "requires_action" && age > giveUpAfter) await cancelChallenge(id);
      } catch (error) {
        log.warn({ err: error, payment: id }, "could not ask the gateway about a payment");
      }
    }
  }
}
