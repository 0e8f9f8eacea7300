import { type Actor, type Tenant, tenantOf } from "@/lib/auth/actor";
import { audit, changed } from "@/lib/auth/audit";
import { assigned, type Db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { ApiError } from "@/lib/core/errors";
import { iso } from "@/lib/http/list";
import { type Brand, logoOf } from "./brand";
import type { Settings, SettingsUpdate } from "./contract";

type Row = Omit<Settings, "logo_url"> & Pick<Brand, "logo_hash">;

/** As gatewayFor (lib/gateways/for-business.ts) chooses: test mode has the sandbox. */
const canTakePayments = ({ business_id, livemode }: ReturnType<typeof tenantOf>) => Prisma.sql`
  (NOT ${livemode}::boolean OR EXISTS (
    SELECT FROM gateway_account
     WHERE business_id = ${business_id} AND livemode = ${livemode}::boolean AND replaced_at IS NULL))`;

const columns = (whose: ReturnType<typeof tenantOf>) => Prisma.sql`
  'settings' AS _id, id AS business_id, name, timezone, dunning_days, dunning_end,
  support_email, renewal_notice_days, send_receipts,
  ${iso("created_at")} AS created_at, ${iso("updated_at")} AS updated_at, currency,
  brand_colour, logo_hash, logo_width, logo_height, support_phone, thank_you_text,
  ${canTakePayments(whose)} AS can_take_payments`;

function present(row: Row | undefined): Settings {
  if (!row) throw new Error("A business without a row.");
  const { logo_hash: _, ...rest } = row;
  const logo = logoOf(row);
  return { ...rest, logo_url: logo && `${env().APP_URL}${logo.path}` };
}

/** What the caller's business has decided about itself. */
export async function getSettings(tx: Db, actor: Tenant): Promise<Settings> {
  const whose = tenantOf(actor);
  const [row] = await queryRows<Row>(
    tx,
    Prisma.sql`SELECT ${columns(whose)} FROM business WHERE id = ${whose.business_id}`,
  );
  return present(row);
}

/**
 * As they are until the transaction ends. What refers to the business goes on meanwhile.
 * @param readAt their `updated_at` as the caller read them; null: whatever they are by now
 * @throws ApiError precondition_failed
 */
export async function lockSettings(tx: Db, actor: Actor, readAt: string | null): Promise<Settings> {
  const whose = tenantOf(actor);
  const [row] = await queryRows<Row>(
    tx,
    Prisma.sql`SELECT ${columns(whose)} FROM business WHERE id = ${whose.business_id} FOR NO KEY UPDATE`,
  );
  const settings = present(row);
  if (readAt !== null && settings.updated_at !== readAt) throw new ApiError("precondition_failed");
  return settings;
}

/**
 * Changes what is given.
 * @param readAt as of lockSettings
 * @throws ApiError precondition_failed
 */
export async function updateSettings(
  tx: Db,
  actor: Actor,
  input: SettingsUpdate,
  readAt: string | null,
): Promise<Settings> {
  const set = assigned(input);
  if (set === Prisma.empty) return getSettings(tx, actor);
  const whose = tenantOf(actor);
  const { business_id } = whose;
  return transaction(tx, async (tx) => {
    const was = await lockSettings(tx, actor, readAt);
    const [row] = await queryRows<Row>(
      tx,
      Prisma.sql`UPDATE business SET ${set} WHERE id = ${business_id} RETURNING ${columns(whose)}`,
    );
    const is = present(row);
    const difference = changed(was, is);
    if (difference)
      await audit(tx, business_id, { action: "settings.changed", resource_id: "settings", ...difference });
    return is;
  });
}
