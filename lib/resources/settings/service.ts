import { type Actor, type Tenant, tenantOf } from "@/lib/auth/actor";
import { audit, changed } from "@/lib/auth/audit";
import { assertStillActive, assertStillHasScope, lockMembership } from "@/lib/auth/membership";
import { allows } from "@/lib/auth/scopes";
import { hasSecondFactor } from "@/lib/auth/two-factor";
import { clock } from "@/lib/core/clock";
import { type Db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { fieldMessages } from "@/lib/core/field-messages";
import { iso } from "@/lib/http/list";
import { column, columnsOf, instant, ownedBy } from "@/lib/resources/define";
import { bankFields, bankScope, type Settings, type SettingsUpdate } from "./contract";
import { spelledTimezone } from "./timezone";

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
    bank_holder: column,
    bank_iban: column,
    bank_bic: column,
    two_factor_required: Prisma.sql`two_factor_since IS NOT NULL`,
    // As findHold (server/hold.ts): a table of a few rows.
    held_backup_at: Prisma.sql`
      (SELECT ${iso("backup_at")} FROM database_restore WHERE released_at IS NULL ORDER BY id DESC LIMIT 1)`,
    seller_details: column,
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
 * Test mode shares this account with live mode, where it receives payments: a test key is not enough, nor an unconfirmed address.
 * @throws ApiError forbidden, email_not_verified
 */
function assertMayChangeBank({ scopes, who, livemode, session }: Actor): void {
  if (!allows(scopes, bankScope)) throw new ApiError("forbidden");
  if (session?.mustVerifyEmail) throw new ApiError("email_not_verified");
  if (who.type === "api_key" && !livemode)
    throw new ApiError("forbidden", "Only a live key may change the account for bank transfers.");
}

type Bank = Pick<Settings, (typeof bankFields)[number]>;

/**
 * The whole bank account after an update. A null IBAN clears the fields that are not sent.
 * @throws ValidationError if holder or IBAN is missing
 */
function bankOf(was: Bank, sent: SettingsUpdate): Bank {
  const after = (field: keyof Bank): string | null => {
    const value = sent[field];
    if (value !== undefined) return value;
    return sent.bank_iban === null ? null : was[field];
  };
  const is = { bank_holder: after("bank_holder"), bank_iban: after("bank_iban"), bank_bic: after("bank_bic") };
  const missing = (field: string) => new ValidationError({ [field]: [fieldMessages.required(field)] });
  if (is.bank_iban === null && (is.bank_holder !== null || is.bank_bic !== null)) throw missing("bank_iban");
  if (is.bank_iban !== null && is.bank_holder === null) throw missing("bank_holder");
  return is;
}

/**
 * Changes the given settings.
 * @param readAt as of lockSettings
 * @throws ApiError precondition_failed, own_two_factor_needed, forbidden and email_not_verified for the bank account
 * (assertMayChangeBank), forbidden for two-factor sign-in without the role; ValidationError on the bank account or the time zone
 */
export async function updateSettings(
  tx: Db,
  actor: Actor,
  input: SettingsUpdate,
  readAt: string | null,
): Promise<Settings> {
  if (Object.values(input).every((value) => value === undefined)) return getSettings(tx, actor);
  const { business_id } = tenantOf(actor);
  const changesBank = bankFields.some((field) => input[field] !== undefined);
  if (changesBank) assertMayChangeBank(actor);
  const { two_factor_required: required, ...rest } = input;
  if (required !== undefined && actor.session?.role !== "owner") throw new ApiError("forbidden");
  if (required && !(await hasSecondFactor(tx, actor.who.id))) throw new ApiError("own_two_factor_needed");
  return transaction(tx, async (tx) => {
    if (changesBank) await assertStillHasScope(tx, actor, bankScope);
    if (required !== undefined && (await lockMembership(tx, business_id, actor.who.id)) !== "owner")
      throw new ApiError("forbidden");
    const was = await lockSettings(tx, actor, readAt);
    if (changesBank) await assertStillActive(tx, actor); // it may have waited
    if (rest.timezone !== undefined && rest.timezone !== was.timezone)
      rest.timezone = await spelledTimezone(tx, rest.timezone);
    const changes = required !== undefined && required !== was.two_factor_required;
    const two_factor_since = changes ? (required ? new Date() : null) : undefined;
    const data = { ...rest, ...bankOf(was, input), two_factor_since };
    await tx.business.update({ where: { id: business_id }, data });
    const is = await read(tx, actor);
    const difference = changed(was, is);
    if (difference)
      await audit(tx, business_id, { action: "settings.changed", resource_id: "settings", ...difference });
    return is;
  });
}
