import { clock } from "@/lib/core/clock";
import { observed } from "@/lib/core/observe";
import { findAccount, type GatewayAccountKeys } from "@/lib/gateways/accounts";
import { type Gateway, type GatewayCall, type GatewayList, gatewayLists, KeyRefused } from "@/lib/gateways/gateway";
import { sandbox } from "@/lib/gateways/sandbox/driver";
import { stripeGateway } from "@/lib/gateways/stripe/driver";
import { refuses, watchKey, watchList } from "./account-health";

/** The tenant and its account in use, if any (`gateway_account`). */
export interface GatewayChoice {
  business_id: number;
  livemode: boolean;
  gateway_account_id: string | null;
}

/**
 * The account's gateway, or the sandbox in test mode without an account; null in live mode without an account.
 * @throws Error when the account's keys do not unseal
 */
export async function gatewayFor(choice: GatewayChoice): Promise<Gateway | null> {
  return (await find(choice))?.gateway ?? null;
}

/** Methods that send no request: they only check or read something. */
const withoutRequest = new Set<PropertyKey>(["supportsAmount", "readCallback"]);

/** Calls that do not affect the account's health: they send no request, or only import the balance, which payments do not need. */
const unwatched = new Set<PropertyKey>([...withoutRequest, "balance", "balanceEntries", "payouts"]);

const isList = (name: PropertyKey): name is GatewayList => gatewayLists.some((list) => list === name);

/** The outcome of a call, for metrics. */
function outcomeOf(result: unknown): string {
  if (typeof result !== "object" || result === null) return "ok";
  return "outcome" in result ? String(result.outcome) : "status" in result ? String(result.status) : "ok";
}

/**
 * Runs every call by the system clock: a gateway does not follow a test clock.
 * @param account whose key is watched
 */
function inSystemTime(gateway: Gateway, account: GatewayAccountKeys | null): Gateway {
  return new Proxy(gateway, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      const watched = account !== null && !unwatched.has(name);
      return (...input: unknown[]) => {
        const run = () => clock.outside(() => value.apply(target, input));
        if (isList(name)) return watched ? watchList(account, name, run()) : run();
        const call = () =>
          withoutRequest.has(name) ? run() : observed("gateway_call", `${target.name} ${String(name)}`, run, outcomeOf);
        return watched ? watchKey(account, name as GatewayCall, call) : call();
      };
    },
  });
}

interface Found {
  gateway: Gateway;
  account: GatewayAccountKeys | null;
}

async function find(choice: GatewayChoice): Promise<Found | null> {
  const { business_id, livemode, gateway_account_id } = choice;
  if (gateway_account_id !== null) {
    const account = await findAccount(gateway_account_id);
    if (!account) throw new Error(`There is no gateway account ${gateway_account_id}.`);
    return { gateway: refusing(inSystemTime(stripeGateway(account), account)), account };
  }
  return livemode ? null : { gateway: inSystemTime(sandbox(String(business_id)), null), account: null };
}

/**
 * Turns a refused key that has certainly executed nothing into a final result, so that the link is payable and the money
 * refundable at once. Otherwise the outcome is unknown.
 */
function refusing(gateway: Gateway): Gateway {
  const declined = ({ code }: KeyRefused) =>
    ({ outcome: "declined", reason: "gateway_refused", code, ref: null, card: null, risk: null }) as const;
  return {
    ...gateway,
    pay: (request) => gateway.pay(request).catch(ifRefused(declined)),
    chargeSaved: (request) => gateway.chargeSaved(request).catch(ifRefused(declined)),
    saveCard: (request) => gateway.saveCard(request).catch(ifRefused(declined)),
    refund: (request) =>
      gateway
        .refund(request)
        .catch(ifRefused(() => ({ status: "failed", ref: null, failure: "account_refused", booked: null }) as const)),
  };
}

function ifRefused<T>(result: (error: KeyRefused) => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof KeyRefused && error.executedNothing) return result(error);
    throw error;
  };
}

type OfRow = GatewayChoice & { gateway: string };

/**
 * The gateway of an existing attempt, independent of the account in use today.
 * @throws Error when there is none
 */
export async function gatewayOf(row: OfRow): Promise<Gateway> {
  return (await foundOf(row)).gateway;
}

/**
 * The gateway of a saved card; null while it refuses to charge saved cards with the account's key.
 * @throws Error when there is none
 */
export async function chargingGatewayOf(row: OfRow): Promise<Gateway | null> {
  const { gateway, account } = await foundOf(row);
  return account && refuses(account, "chargeSaved") ? null : gateway;
}

async function foundOf(row: OfRow): Promise<Found> {
  const found = await find({ ...row, livemode: false });
  if (found?.gateway.name !== row.gateway) throw new Error(`There is no gateway ${row.gateway} for this payment.`);
  return found;
}
