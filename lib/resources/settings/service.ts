import { type Actor, type Tenant, tenantOf } from "@/lib/auth/actor";
import { audit, changed } from "@/lib/auth/audit";
import { clock } from "@/lib/core/clock";
import { type Db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { ApiError } from "@/lib/core/errors";
import { column, columnsOf, instant, ownedBy } from "@/lib/resources/define";
import type { Settings, SettingsUpdate } from "./contract";

const columns = (tenant: Tenant) =>
  columnsOf<Settings>({
    _id: Prisma.sql`'settings'`,
    business_id: Prisma.sql`id`,
    name: column,
    timezone: column,
    dunning_days: column,
    dunning_end: column,
    support_email: column,
    renewal_notice_days: column,
    send_receipts: column,
    created_at: instant,
    updated_at: instant,
    currency: column,
    brand_colour: column,
    logo_url: Prisma.sql`${env().APP_URL}::text || '/logo/' || id || '/' || logo_hash`,
    logo_width: column,
    logo_height: column,
    support_phone: column,
    thank_you_text: column,
    pause_disputed: column,
    // As gatewayFor (lib/ledger/gateways.ts) chooses: test mode has the sandbox.
    can_take_payments: Prisma.sql`
      (NOT ${tenant.livemode}::boolean OR EXISTS (
        SELECT FROM gateway_account WHERE ${ownedBy(tenant)} AND replaced_at IS NULL))`,
  })(clock.now());

async function read(tx: Db, tenant: Tenant, lock = Prisma.empty): Promise<Settings> {
  const [row] = await queryRows<Settings>(
    tx,
    Prisma.sql`SELECT ${columns(tenant)} FROM business WHERE id = ${tenantOf(tenant).business_id} ${lock}`,
  );
  if (!row) throw new Error("A business without a row.");
  return row;
}

export const getSettings = (tx: Db, tenant: Tenant): Promise<Settings> => read(tx, tenant);

/**
 * Locks the settings until the transaction ends. Rows that refer to the business can still be written.
 * @param readAt the `updated_at` that the caller has read; null: no check
 * @throws ApiError precondition_failed
 */
export async function lockSettings(tx: Db, actor: Actor, readAt: string | null): Promise<Settings> {
  const settings = await read(tx, actor, Prisma.sql`FOR NO KEY UPDATE`);
  if (readAt !== null && settings.updated_at !== readAt) throw new ApiError("precondition_failed");
  return settings;
}

/**
 * Changes the given settings.
 * @param readAt as of lockSettings
 * @throws ApiError precondition_failed
 */
export async function updateSettings(
  tx: Db,
  actor: Actor,
  input: SettingsUpdate,
  readAt: string | null,
): Promise<Settings> {
  if (Object.values(input).every((value) => value === undefined)) return getSettings(tx, actor);
  const { business_id } = tenantOf(actor);
  return transaction(tx, async (tx) => {
    const was = await lockSettings(tx, actor, readAt);
    await tx.business.update({ where: { id: business_id }, data: input });
    const is = await read(tx, actor);
    const difference = changed(was, is);
    if (difference)
      await audit(tx, business_id, { action: "settings.changed", resource_id: "settings", ...difference });
    return is;
  });
}
