import { clock } from "@/lib/core/clock";
import { sandbox } from "@/lib/gateways/sandbox/driver";
import { stripeGateway } from "@/lib/gateways/stripe/driver";
import { findAccount } from "./accounts";
import type { Gateway } from "./gateway";

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
  const gateway = await find(choice);
  return gateway && inSystemTime(gateway);
}

/** Runs every call by the system clock: a gateway does not follow a test clock. */
function inSystemTime(gateway: Gateway): Gateway {
  return new Proxy(gateway, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...input: unknown[]) => clock.outside(() => value.apply(target, input));
    },
  });
}

async function find(choice: GatewayChoice): Promise<Gateway | null> {
  const { business_id, livemode, gateway_account_id } = choice;
  if (gateway_account_id !== null) {
    const account = await findAccount(gateway_account_id);
    if (!account) throw new Error(`There is no gateway account ${gateway_account_id}.`);
    return stripeGateway(account);
  }
  return livemode ? null : sandbox(String(business_id));
}

/**
 * The gateway of an existing attempt, independent of the account in use today.
 * @throws Error when there is none
 */
export async function gatewayOf(row: GatewayChoice & { gateway: string }): Promise<Gateway> {
  const gateway = await gatewayFor({ ...row, livemode: false });
  if (gateway?.name !== row.gateway) throw new Error(`There is no gateway ${row.gateway} for this payment.`);
  return gateway;
}
