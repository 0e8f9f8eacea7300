import { z } from "zod";
import { audit } from "@/lib/auth/audit";
import { clock } from "@/lib/core/clock";
import { isDatabaseAway } from "@/lib/core/database-error";
import { type Db, db, isUniqueViolation, Prisma, queryRows, transaction, whileLocked } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { seal, unseal } from "@/lib/core/secrets";
import type { AccountMark } from "@/lib/gateways/gateway";
import {
  accountOf,
  assertMayList,
  badKey,
  ConnectProblem,
  callbackAddress,
  canBeCalled,
  canReturn,
  createEndpoint,
  removeEndpoint,
  removeEndpoints,
  renewSubscriptions,
} from "@/lib/gateways/stripe/setup";

/** An account at a gateway with its keys. For drivers only: never log or return them. */
export interface GatewayAccountKeys {
  /** `gwa_...` */
  id: string;
  businessId: number;
  livemode: boolean;
  externalId: string;
  secretKey: string;
  /** Verifies callbacks; null rejects every callback. */
  webhookSecret: string | null;
  mark: AccountMark;
  /** What the gateway refused this key, as stored (lib/ledger/account-health.ts). */
  refusedCalls: readonly string[];
  /** The encrypted keys. They tell whether the account's keys were replaced meanwhile. */
  sealed: string;
}

const secretsSchema = z.object({ secretKey: z.string(), webhookSecret: z.string().nullable() });
type Secrets = z.output<typeof secretsSchema>;

/** Binds the sealed keys to their row: copied to another account, they do not unseal. */
export const sealContext = (id: string): string => `gateway_account/${id}/secrets`;

const sealSecrets = (id: string, secrets: Secrets): string => seal(JSON.stringify(secrets), sealContext(id));

const unsealSecrets = (row: { id: string; secrets: string }): Secrets =>
  secretsSchema.parse(JSON.parse(unseal(row.secrets, sealContext(row.id))));

interface AccountRow {
  id: string;
  business_id: number;
  livemode: boolean;
  external_id: string;
  secrets: string;
  refused_calls: string[];
  compared_until: Date;
  database: string;
}

/**
 * `AccountMark.database` of a row of `gateway_account`. A restored data directory and a failover change the start of the
 * server, a database of the same name its id, tables restored in place the table's.
 */
export const databaseOf = Prisma.sql`
  concat_ws('/', extract(epoch FROM pg_postmaster_start_time()),
            (SELECT oid FROM pg_database WHERE datname = current_database()), gateway_account.tableoid)`;

/**
 * Finds an account with its keys, also a replaced one; null when there is none.
 * @throws Error when its keys do not unseal (another APP_SECRET)
 */
export async function findAccount(id: string): Promise<GatewayAccountKeys | null> {
  const [row] = await queryRows<AccountRow>(
    db,
    Prisma.sql`
    SELECT id, business_id, livemode, external_id, secrets, refused_calls, compared_until, ${databaseOf} AS database
      FROM gateway_account WHERE id = ${id}`,
  );
  if (!row) return null;
  const {
    business_id: businessId,
    livemode,
    external_id: externalId,
    refused_calls: refusedCalls,
    secrets: sealed,
    compared_until: comparedUntil,
    database,
  } = row;
  const mark = { comparedUntil, database };
  return { id, businessId, livemode, externalId, refusedCalls, sealed, mark, ...unsealSecrets(row) };
}

/** Lets the gateway send the callbacks that an older version did not need. Failures are only logged. */
export async function renewCallbacks(id: string): Promise<void> {
  const account = await findAccount(id);
  if (account) await renewSubscriptions(account.secretKey, id);
}

interface Connect {
  businessId: number;
  livemode: boolean;
  secretKey: string;
  webhookSecret?: string;
  /** Runs in the transaction that writes. Throws if the caller lost the permission while the gateway answered. */
  assertAllowed?: (tx: Db) => Promise<void>;
}

export interface Connected {
  id: string;
  externalId: string;
  address: string;
  /** `kept`: the existing endpoint stays. `missing`: no callbacks until the merchant creates an endpoint. */
  callbacks: "created" | "given" | "kept" | "missing";
  /** Whether payers can pay: see `canReturn`. */
  payable: boolean;
}

/**
 * Connects a Stripe account for a business and mode. The previous account is kept for its own payments. The same Stripe
 * account keeps its row and gets the new keys. Keys and callbacks are checked before one transaction writes everything,
 * so the account in use always has working keys.
 * @throws ConnectProblem when the key is for the other mode or lacks a permission to read, or Stripe rejects it; Error when the
 * business does not exist; what `assertAllowed` throws
 */
export async function connectAccount(connect: Connect): Promise<Connected> {
  const { businessId, livemode, secretKey, webhookSecret } = connect;
  const problem = badKey(secretKey, livemode);
  if (problem) throw new ConnectProblem("secret_key", problem);
  if (webhookSecret !== undefined && !/^whsec_\S{8,200}$/.test(webhookSecret))
    throw new ConnectProblem("webhook_secret", "This is no webhook secret of Stripe's: it begins with whsec_.");
  const business = await db.business.findUnique({ where: { id: businessId }, select: { id: true } });
  if (!business) throw new Error(`There is no business ${businessId}.`);
  return exclusively(businessId, () => connectValidated(connect));
}

async function connectValidated(connect: Connect): Promise<Connected> {
  const { businessId, livemode, secretKey, webhookSecret, assertAllowed } = connect;
  const externalId = await accountOf(secretKey);
  await assertMayList(secretKey);
  const known = await db.gatewayAccount.findFirst({
    where: { business_id: businessId, livemode, gateway: "stripe", external_id: externalId },
  });
  const id = known?.id ?? newId("gwa");
  const created = webhookSecret === undefined && canBeCalled() ? await createEndpoint(secretKey, id) : null;
  const before = known ? webhookSecretOf(known) : null;
  const secrets = { secretKey, webhookSecret: webhookSecret ?? created?.webhookSecret ?? before };
  try {
    await putInUse({ id, businessId, livemode, externalId, isNew: !known, secrets, assertAllowed });
  } catch (error) {
    // A database that is away may have committed: without the endpoint, the stored secret would verify no callback.
    if (created && !isDatabaseAway(error)) await removeEndpoint(secretKey, created.endpoint);
    if (isUniqueViolation(error))
      throw new ConnectProblem("account", "Another account was connected meanwhile. Try again.");
    throw error;
  }
  const callbacks = created ? "created" : webhookSecret ? "given" : before ? "kept" : "missing";
  // Callbacks of older endpoints would fail verification.
  if (callbacks === "created" || callbacks === "given") await removeEndpoints(secretKey, id, created?.endpoint ?? null);
  return { id, externalId, address: callbackAddress(id), callbacks, payable: canReturn(livemode) };
}

const lockClass = 1_918_283_741; // any number that no other advisory lock uses

/** Serializes connecting per business: a concurrent call would remove the endpoint that the first one has created. */
async function exclusively<T>(businessId: number, work: () => Promise<T>): Promise<T> {
  const done = await whileLocked([lockClass, businessId], work);
  if (!done) throw new ConnectProblem("account", "An account of this business is being connected already. Try again.");
  return done.result;
}

/** The stored webhook secret; null when there is none or it does not unseal. */
function webhookSecretOf(row: { id: string; secrets: string }): string | null {
  try {
    return unsealSecrets(row).webhookSecret;
  } catch {
    return null;
  }
}

interface PutInUse extends Pick<Connect, "businessId" | "livemode" | "assertAllowed"> {
  id: string;
  externalId: string;
  isNew: boolean;
  secrets: Secrets;
}

function putInUse(connected: PutInUse): Promise<void> {
  const { id, businessId, livemode, externalId, isNew, secrets, assertAllowed } = connected;
  const { secretKey } = secrets;
  const data = {
    secrets: sealSecrets(id, secrets),
    hint: `${secretKey.slice(0, 12)}…${secretKey.slice(-4)}`,
    replaced_at: null,
  };
  return transaction(db, async (tx) => {
    await assertAllowed?.(tx);
    const before = await tx.gatewayAccount.findFirst({
      where: { business_id: businessId, livemode, replaced_at: null },
      select: auditColumns,
    });
    // The unique index `gateway_account_in_use` catches concurrent connections.
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
      before: before && auditEntryOf(before),
      after: auditEntryOf({ external_id: externalId, hint: data.hint }),
    });
  });
}

const auditColumns = { external_id: true, hint: true } as const;
const auditEntryOf = ({ external_id, hint }: { external_id: string; hint: string }) => ({
  external_id,
  key_last4: hint.slice(-4),
});

/**
 * Disconnects the account: new test payments use the sandbox, live payments become impossible. The keys are kept for
 * open payments and refunds.
 * @param id only this account; by default the one in use
 * @returns false when none was in use
 */
export function disconnectAccount(businessId: number, livemode: boolean, id?: string): Promise<boolean> {
  const inUse = { business_id: businessId, livemode, replaced_at: null, ...(id === undefined ? {} : { id }) };
  return transaction(db, async (tx) => {
    const account = await tx.gatewayAccount.findFirst({ where: inUse, select: { id: true, ...auditColumns } });
    if (!account) return false;
    const where = { ...inUse, id: account.id };
    const { count } = await tx.gatewayAccount.updateMany({ where, data: { replaced_at: clock.now() } });
    if (count === 0) return false;
    await audit(tx, businessId, {
      action: "gateway_account.disconnected",
      livemode,
      resource_id: account.id,
      about: account.external_id,
      before: auditEntryOf(account),
    });
    return true;
  });
}

export function listAccounts(businessId?: number) {
  return db.gatewayAccount.findMany({
    where: { business_id: businessId },
    orderBy: [{ business_id: "asc" }, { livemode: "asc" }, { created_at: "desc" }],
    omit: { secrets: true },
  });
}
