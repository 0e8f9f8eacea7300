import { z } from "zod";
import { audit } from "@/lib/auth/audit";
import { clock } from "@/lib/core/clock";
import { db, isUniqueViolation, pool, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { seal, unseal } from "@/lib/core/secrets";
import {
  accountOf,
  badKey,
  ConnectProblem,
  callbackAddress,
  canBeCalled,
  createEndpoint,
  removeEndpoint,
  removeEndpoints,
} from "@/lib/gateways/stripe/setup";

/** An account at a gateway with its keys. They go to the driver, never into a log or an answer. */
export interface GatewayAccountKeys {
  /** `gwa_...` */
  id: string;
  businessId: number;
  livemode: boolean;
  /** The gateway's own name of it. */
  externalId: string;
  secretKey: string;
  /** What callbacks are signed with; null when none was given, so that every callback is refused. */
  webhookSecret: string | null;
}

const secretsSchema = z.object({ secretKey: z.string(), webhookSecret: z.string().nullable() });
type Secrets = z.output<typeof secretsSchema>;

/** Bound to the row: encrypted keys that were moved to another business's account do not open. */
const place = (id: string): string => `gateway_account/${id}/secrets`;

const sealed = (id: string, secrets: Secrets): string => seal(JSON.stringify(secrets), place(id));

const opened = (row: { id: string; secrets: string }): Secrets =>
  secretsSchema.parse(JSON.parse(unseal(row.secrets, place(row.id))));

/**
 * The account with its keys, in use or replaced; null when there is none.
 * @throws Error when its keys do not open (another APP_SECRET)
 */
export async function findAccount(id: string): Promise<GatewayAccountKeys | null> {
  const row = await db.gatewayAccount.findUnique({ where: { id } });
  if (!row) return null;
  const { business_id: businessId, livemode, external_id: externalId } = row;
  return { id, businessId, livemode, externalId, ...opened(row) };
}

interface Connect {
  businessId: number;
  livemode: boolean;
  secretKey: string;
  /** Of an endpoint that was made by hand; without it one is made, where Stripe can reach this server. */
  webhookSecret?: string;
}

export interface Connected {
  id: string;
  externalId: string;
  /** Where Stripe is to call. */
  address: string;
  /** `kept`: Stripe goes on calling the endpoint it had. `missing`: it calls nobody until somebody makes one by hand. */
  callbacks: "created" | "given" | "kept" | "missing";
}

/**
 * Puts a Stripe account into use for a business and mode. The one before stays for what was paid through it; if it is the
 * same Stripe account, its row gets the new keys. The keys are tried and the callbacks arranged before anything is
 * written, and all is written at once, so that at every moment one account is in use whose keys work.
 * @throws ConnectProblem when the key is not of this mode, or Stripe does not take it; Error when there is no such business
 */
export async function connectAccount(connect: Connect): Promise<Connected> {
  const { businessId, livemode, secretKey, webhookSecret } = connect;
  const problem = badKey(secretKey, livemode);
  if (problem) throw new ConnectProblem("secret_key", problem);
  if (webhookSecret !== undefined && !/^whsec_\S{8,200}$/.test(webhookSecret))
    throw new ConnectProblem("webhook_secret", "This is no webhook secret of Stripe's: it begins with whsec_.");
  const business = await db.business.findUnique({ where: { id: businessId }, select: { id: true } });
  if (!business) throw new Error(`There is no business ${businessId}.`);
  return alone(businessId, () => connectTried(connect));
}

async function connectTried({ businessId, livemode, secretKey, webhookSecret }: Connect): Promise<Connected> {
  const externalId = await accountOf(secretKey);
  const known = await db.gatewayAccount.findFirst({
    where: { business_id: businessId, livemode, gateway: "stripe", external_id: externalId },
  });
  const id = known?.id ?? newId("gwa");
  const made = webhookSecret === undefined && canBeCalled() ? await createEndpoint(secretKey, id) : null;
  const before = known ? webhookSecretOf(known) : null;
  const secrets = { secretKey, webhookSecret: webhookSecret ?? made?.webhookSecret ?? before };
  try {
    await putInUse({ id, businessId, livemode, externalId, isNew: !known, secrets });
  } catch (error) {
    if (made) await removeEndpoint(secretKey, made.endpoint);
    if (isUniqueViolation(error))
      throw new ConnectProblem("account", "Another account was connected meanwhile. Try again.");
    throw error;
  }
  const callbacks = made ? "created" : webhookSecret ? "given" : before ? "kept" : "missing";
  // Endpoints whose secret is no longer the stored one would only call in vain.
  if (callbacks === "created" || callbacks === "given") await removeEndpoints(secretKey, id, made?.endpoint ?? null);
  return { id, externalId, address: callbackAddress(id), callbacks };
}

const lockClass = 1_918_283_741; // any number that no other advisory lock uses

/** One connection of a business at a time: a second one would remove the endpoint that the first has just made. */
async function alone<T>(businessId: number, work: () => Promise<T>): Promise<T> {
  const session = await pool().connect();
  try {
    const lock = [lockClass, businessId];
    const { rows } = await session.query<{ free: boolean }>("SELECT pg_try_advisory_lock($1, $2) AS free", lock);
    if (!rows[0]?.free)
      throw new ConnectProblem("account", "An account of this business is being connected already. Try again.");
    try {
      return await work();
    } finally {
      await session.query("SELECT pg_advisory_unlock($1, $2)", lock);
    }
  } finally {
    session.release();
  }
}

/** The secret that callbacks were signed with so far; null when there was none, or it does not open any more. */
function webhookSecretOf(row: { id: string; secrets: string }): string | null {
  try {
    return opened(row).webhookSecret;
  } catch {
    return null;
  }
}

interface PutInUse {
  id: string;
  businessId: number;
  livemode: boolean;
  externalId: string;
  isNew: boolean;
  secrets: Secrets;
}

function putInUse({ id, businessId, livemode, externalId, isNew, secrets }: PutInUse): Promise<void> {
  const { secretKey } = secrets;
  const data = {
    secrets: sealed(id, secrets),
    hint: `${secretKey.slice(0, 12)}…${secretKey.slice(-4)}`,
    replaced_at: null,
  };
  return transaction(db, async (tx) => {
    const before = await tx.gatewayAccount.findFirst({
      where: { business_id: businessId, livemode, replaced_at: null },
      select: said,
    });
    // The unique index `gateway_account_in_use` has the last word.
    await tx.gatewayAccount.updateMany({
      where: { business_id: businessId, livemode, replaced_at: null, id: { not: id } },
      data: { replaced_at: clock.now() },
    });
    if (isNew) {
      const row = { id, business_id: businessId, livemode, gateway: "stripe", external_id: externalId };
      await tx.gatewayAccount.create({ data: { ...row, ...data } });
    } else {
      await tx.gatewayAccount.update({ where: { id }, data });
    }
    await audit(tx, businessId, {
      action: "gateway_account.connected",
      livemode,
      resource_id: id,
      about: externalId,
      before: before && saying(before),
      after: saying({ external_id: externalId, hint: data.hint }),
    });
  });
}

const said = { external_id: true, hint: true } as const;
const saying = ({ external_id, hint }: { external_id: string; hint: string }) => ({
  external_id,
  key_last4: hint.slice(-4),
});

/**
 * Takes the account out of use: new test payments go to the sandbox, live ones nowhere. Its keys stay, for the payments
 * that are open and for refunds.
 * @param id of one account; without it whichever is in use
 * @returns false when none was in use
 */
export function disconnectAccount(businessId: number, livemode: boolean, id?: string): Promise<boolean> {
  const inUse = { business_id: businessId, livemode, replaced_at: null, ...(id === undefined ? {} : { id }) };
  return transaction(db, async (tx) => {
    const account = await tx.gatewayAccount.findFirst({ where: inUse, select: { id: true, ...said } });
    if (!account) return false;
    const where = { ...inUse, id: account.id };
    const { count } = await tx.gatewayAccount.updateMany({ where, data: { replaced_at: clock.now() } });
    if (count === 0) return false;
    await audit(tx, businessId, {
      action: "gateway_account.disconnected",
      livemode,
      resource_id: account.id,
      about: account.external_id,
      before: saying(account),
    });
    return true;
  });
}

/** The accounts of a business, or of all; hints, never keys. */
export function listAccounts(businessId?: number) {
  return db.gatewayAccount.findMany({
    where: { business_id: businessId },
    orderBy: [{ business_id: "asc" }, { livemode: "asc" }, { created_at: "desc" }],
    omit: { secrets: true },
  });
}
