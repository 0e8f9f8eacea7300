import type { Charge, Link, Shop } from "./shop";

/** What charging a card does; `declined` charges nothing. */
export type Fate = "declined" | (Omit<Charge, "key" | "linkId" | "cents" | "refunds" | "page"> & { known: boolean });

const good = {
  status: "succeeded",
  later: null,
  waitsForPayer: false,
  refundsAre: "succeeded",
  dispute: null,
} as const;

/** The ledger knows at once that it is paid. */
export const paid = (how: Partial<Charge> = {}): Fate => ({ ...good, known: true, ...how });

/** The ledger does not know the outcome. */
export const open = (how: Partial<Charge> = {}): Fate => ({ ...good, known: false, status: "undecided", ...how });

/** A shop's gateway, as the test moves it. */
export interface World {
  feeOf(cents: number): number;
  /** Test cards for the pay page. */
  typed: Record<string, Fate>;
  /** Test cards that the shop saves and charges. */
  saved: Record<string, Fate>;
  /** @returns the token */
  save(shop: Shop, number: string): Promise<string>;
  /** Sends a signed callback about a payment. @returns the response's status */
  notify(shop: Shop, paymentId: string, about: "payment" | "dispute"): Promise<number>;
  /** The gateway decides what is open about charges, as their `later` says. */
  decide(shop: Shop, link: Link, charges: Charge[]): Promise<void>;
  /** The payer answers the bank, or pays on the gateway's page, which is open. */
  answer(shop: Shop, charge: Charge): Promise<void>;
  /** The gateway's reference of a charge. */
  refOf(shop: Shop, charge: Charge): Promise<string>;
  /** Blocks the shop's requests until the returned function is called; null if the world refuses the key instead. */
  cutOff: ((shop: Shop) => Promise<() => Promise<unknown>>) | null;
  /** Charges that took money, as the gateway's own books have them; null where our database has those books. */
  taken: (() => string[]) | null;
  /** The gateway's key can be refused; null where there is none. */
  key: { lose(): Promise<unknown>; connect(): Promise<unknown>; probe(): Promise<unknown> } | null;
}
