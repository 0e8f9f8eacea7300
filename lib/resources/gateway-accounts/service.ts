import { type Actor, owner } from "@/lib/auth/actor";
import { type Db, db, Prisma, queryRows } from "@/lib/core/db";
import { ApiError, notFound, ValidationError } from "@/lib/core/errors";
import { isId } from "@/lib/core/id";
import { connectAccount, disconnectAccount } from "@/lib/gateways/accounts";
import { ConnectProblem, callbackAddress } from "@/lib/gateways/stripe/setup";
import type { Page } from "@/lib/http/handle";
import { iso, listRows } from "@/lib/http/list";
import type { ConnectedAccount, GatewayAccount, GatewayAccountInput, GatewayAccountListQuery } from "./contract";

interface Row extends Omit<GatewayAccount, "_id" | "webhook_url"> {
  id: string;
}

const columns = Prisma.sql`
  id, gateway, external_id, right(hint, 4) AS key_last4,
  CASE WHEN replaced_at IS NULL THEN 'connected' ELSE 'replaced' END AS status, business_id, livemode,
  ${iso("replaced_at")} AS replaced_at, ${iso("created_at")} AS created_at, ${iso("updated_at")} AS updated_at`;

function mine(actor: Actor): Prisma.Sql {
  const { business_id, livemode } = owner(actor);
  return Prisma.sql`business_id = ${business_id} AND livemode = ${livemode}`;
}

function present({ id, gateway, external_id, key_last4, status, ...row }: Row): GatewayAccount {
  return { _id: id, gateway, external_id, key_last4, status, webhook_url: callbackAddress(id), ...row };
}

/** Newest first unless asked otherwise; also those that were replaced. */
export async function listGatewayAccounts(
  tx: Db,
  actor: Actor,
  query: GatewayAccountListQuery,
): Promise<Page<GatewayAccount>> {
  const where = [mine(actor)];
  if (query.status) where.push(Prisma.sql`(replaced_at IS NULL) = ${query.status === "connected"}::boolean`);
  const { rows, page } = await listRows<Row>(tx, { table: "gateway_account", columns, where, query });
  return { rows: rows.map(present), page };
}

async function getGatewayAccount(actor: Actor, id: string): Promise<GatewayAccount> {
  if (!isId("gwa", id)) throw notFound("Gateway account");
  const [row] = await queryRows<Row>(
    db,
    Prisma.sql`SELECT ${columns} FROM gateway_account WHERE id = ${id} AND ${mine(actor)}`,
  );
  if (!row) throw notFound("Gateway account");
  return present(row);
}

/**
 * Connects an account for the caller's mode; the gateway is asked whether it takes the key.
 * @throws ValidationError; ApiError gateway_busy, gateway_away
 */
export async function connectGatewayAccount(actor: Actor, input: GatewayAccountInput): Promise<ConnectedAccount> {
  const { businessId, livemode } = actor;
  const webhookSecret = input.webhook_secret ?? undefined;
  try {
    const asked = { businessId, livemode, secretKey: input.secret_key.trim(), webhookSecret };
    const { id, callbacks } = await connectAccount(asked);
    return { ...(await getGatewayAccount(actor, id)), callbacks };
  } catch (error) {
    if (!(error instanceof ConnectProblem)) throw error;
    if (error.about === "gateway") throw new ApiError("gateway_away", undefined, { "Retry-After": "10" });
    if (error.about === "account") throw new ApiError("gateway_busy");
    throw new ValidationError({ [error.about]: [error.message] });
  }
}

/** Takes an account out of use; the same again changes nothing. @throws ApiError not_found */
export async function disconnectGatewayAccount(actor: Actor, id: string): Promise<GatewayAccount> {
  const { status } = await getGatewayAccount(actor, id);
  if (status === "connected") await disconnectAccount(actor.businessId, actor.livemode, id);
  return getGatewayAccount(actor, id);
}
