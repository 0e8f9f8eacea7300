import { AsyncLocalStorage } from "node:async_hooks";

/** Who makes something happen, and in which request. */
export interface Acting {
  type: "api_key" | "user" | "payer" | "system";
  id: string | null;
  requestId: string | null;
  /** Where the request came from, as the front server saw it. */
  address: string | null;
}

const current = new AsyncLocalStorage<Acting>();
const system: Acting = { type: "system", id: null, requestId: null, address: null };

/** Runs `work` for somebody: what happens in it is written down as theirs. */
export const actAs = <T>(who: Acting, work: () => T): T => current.run(who, work);

/** Whoever is at work: without anybody else, Paydesk itself. */
export const acting = (): Acting => current.getStore() ?? system;
