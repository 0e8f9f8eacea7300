import { iso } from "@/lib/api/list";
import { type Actor, owner } from "@/lib/auth/actor";
import { type Db, Prisma, queryRows } from "@/lib/db";
import type { Settings, SettingsUpdate } from "./contract";

const columns = Prisma.sql`
  'settings' AS _id, id AS business_id, name, timezone, dunning_days, dunning_end,
  support_email, renewal_notice_days, send_receipts,
  ${iso("created_at")} AS created_at, ${iso("updated_at")} AS updated_at, currency`;

function found(row: Settings | undefined): Settings {
  if (!row) throw new Error("A business without a row.");
  return row;
}

/** What the caller's business has decided about itself. */
export async function getSettings(tx: Db, actor: Actor): Promise<Settings> {
  const { business_id } = owner(actor);
  const [row] = await queryRows<Settings>(tx, Prisma.sql`SELECT ${columns} FROM business WHERE id = ${business_id}`);
  return found(row);
}

/** Changes what is given. */
export async function updateSettings(tx: Db, actor: Actor, input: SettingsUpdate): Promise<Settings> {
  const { name, timezone, currency, dunning_days, dunning_end, support_email, renewal_notice_days, send_receipts } =
    input;
  const set = [
    ...(name === undefined ? [] : [Prisma.sql`name = ${name}`]),
    ...(timezone === undefined ? [] : [Prisma.sql`timezone = ${timezone}`]),
    ...(currency === undefined ? [] : [Prisma.sql`currency = ${currency}`]),
    ...(dunning_days === undefined ? [] : [Prisma.sql`dunning_days = ${dunning_days}::int[]`]),
    ...(dunning_end === undefined ? [] : [Prisma.sql`dunning_end = ${dunning_end}`]),
    ...(support_email === undefined ? [] : [Prisma.sql`support_email = ${support_email}`]),
    ...(renewal_notice_days === undefined ? [] : [Prisma.sql`renewal_notice_days = ${renewal_notice_days}::int`]),
    ...(send_receipts === undefined ? [] : [Prisma.sql`send_receipts = ${send_receipts}`]),
  ];
  if (set.length === 0) return getSettings(tx, actor);
  const { business_id } = owner(actor);
  const [row] = await queryRows<Settings>(
    tx,
    Prisma.sql`UPDATE business SET ${Prisma.join(set, ", ")} WHERE id = ${business_id} RETURNING ${columns}`,
  );
  return found(row);
}
