import { clock } from "@/lib/core/clock";
import { sandbox } from "@/lib/gateways/sandbox/driver";
import { stripeGateway } from "@/lib/gateways/stripe/driver";
import { findAccount } from "./accounts";
import type { Gateway } from "./gateway";

/** Whose gateway: the tenant, and the account in use there if there is one (`gateway_account`). */
export interface GatewayChoice {
  business_id: number;
  livemode: boolean;
  gateway_account_id: string | null;
}

/**
 * The gateway of an account, or the sandbox, which serves test mode as long as no account is connected; null in live mode
 * without an account.
 * @throws Error when the account's keys cannot be decrypted
 */
export async function gatewayFor(choice: GatewayChoice): Promise<Gateway | null> {
  const gateway = await find(choice);
  return gateway && inItsOwnTime(gateway);
}

/** A business's test clock is its own affair: whatever a gateway does, it does by the system's. */
function inItsOwnTime(gateway: Gateway): Gateway {
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
 * The gateway that an attempt was made with, whatever is in use today.
 * @throws Error when there is none: the attempt's outcome then stays as it is known.
 */
export async function gatewayOf(row: GatewayChoice & { gateway: string }): Promise<Gateway> {
  const gateway = await gatewayFor({ ...row, livemode: false });
  if (gateway?.name !== row.gateway) throw new Error(`There is no gateway ${row.gateway} for this payment.`);
  return gateway;
}
