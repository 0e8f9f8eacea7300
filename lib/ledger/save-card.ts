import { randomBytes } from "node:crypto";
import { clock, withClockOf } from "@/lib/core/clock";
import { type Db, db, execute, Prisma, transaction } from "@/lib/core/db";
import { type CardInput, type Gateway, KeyRefused, type SaveCardResult, type SavedCard } from "@/lib/gateways/gateway";
import type { DeclineReason } from "@/lib/gateways/reasons";
import { record } from "@/lib/outbox/record";
import { afterCardSaved } from "@/lib/periods/after-card-saved";
import type { Brand } from "@/lib/resources/settings/brand";
import { activationHours, eventTokenization, hasToken, tokenizations } from "@/lib/resources/tokenizations/resource";
import { gatewayDeadlineMs, lookupDeadlineMs, withDeadline } from "./deadline";
import { gatewayFor } from "./gateways";

/** A tokenization as the activation page needs it. `email` goes to the gateway and is never shown. */
export type Activatable = {
  id: string;
  business_id: number;
  token: string;
  livemode: boolean;
  status: string;
  email: string;
  title: string;
  description: string;
  redirect_url: string | null;
  created_at: Date;
  expires_at: Date;
  setup_ref: string | null;
  gateway_account_id: string | null;
  card_brand: string | null;
  card_last4: string | null;
  business: Omit<Brand, "business_id"> & {
    name: string;
    test_clock_ahead: bigint;
    gateway_accounts: { id: string; livemode: boolean }[];
  };
};

const fields = {
  id: true,
  business_id: true,
  livemode: true,
  status: true,
  email: true,
  title: true,
  description: true,
  redirect_url: true,
  created_at: true,
  expires_at: true,
  setup_ref: true,
  gateway_account_id: true,
  card_brand: true,
  card_last4: true,
  business: {
    select: {
      name: true,
      brand_colour: true,
      logo_hash: true,
      logo_width: true,
      logo_height: true,
      support_email: true,
      support_phone: true,
      thank_you_text: true,
      test_clock_ahead: true,
      gateway_accounts: { where: { replaced_at: null }, select: { id: true, livemode: true } },
    },
  },
} as const;

export function byClockOf<T>({ livemode, business }: Activatable, work: () => T): T {
  return clock.ahead(livemode ? 0 : Number(business.test_clock_ahead), work);
}

export async function findActivatable(token: string): Promise<Activatable | null> {
  if (!/^[A-Za-z0-9_-]{20,128}$/.test(token)) return null;
  const found = await db.tokenization.findFirst({ where: hasToken(token), select: fields });
  return found && { ...found, token };
}

/** The gateway that will save this card; null when live mode has no account. */
export function setupGateway(tokenization: Activatable): Promise<Gateway | null> {
  const { business_id, livemode, business } = tokenization;
  const account = business.gateway_accounts.find((candidate) => candidate.livemode === livemode);
  return gatewayFor({ business_id, livemode, gateway_account_id: account?.id ?? null });
}

type ActivatableState = "pending" | "active" | "expired" | "revoked";

/** The current state: a pending tokenization past `expires_at` is expired. */
export function activatableState(
  tokenization: Pick<Activatable, "status" | "expires_at">,
  now: Date = clock.now(),
): ActivatableState {
  switch (tokenization.status) {
    case "active":
    case "revoked":
      return tokenization.status;
    case "pending":
      return tokenization.expires_at <= now ? "expired" : "pending";
    default:
      throw new Error(`A tokenization has no status ${tokenization.status}.`);
  }
}

type ActivateResult =
  | { outcome: "active" }
  | { outcome: "declined"; reason: DeclineReason }
  | { outcome: "action"; url: string }
  | { outcome: "not_pending" };

/**
 * Saves a card at the gateway and activates the tokenization with it. The gateway charges nothing; billing then
 * charges what the payer owes (`afterCardSaved`), as the page says (lib/payer/card-charges.ts). Each call uses a new gateway
 * key, since an old key would return the card of an earlier attempt. An open page at the gateway is reused. After
 * `activationHours`, no new page is opened, and the tokenization expires.
 * @param card from our form; null where the gateway has its own page
 */
export async function activateToken(
  tokenization: Activatable,
  gateway: Gateway,
  card: CardInput | null,
): Promise<ActivateResult> {
  if (tokenization.setup_ref !== null && tokenization.gateway_account_id === gateway.accountId) {
    const earlier = await withDeadline(gateway.lookupSave(tokenization.setup_ref), lookupDeadlineMs).catch(
      nullIfRefused,
    );
    // The payer cannot continue, and a second page would save a second card.
    if (!earlier) return { outcome: "declined", reason: "gateway_refused" };
    if (earlier.outcome !== "declined") return finish(tokenization, gateway, earlier);
  }
  if (clock.now().getTime() >= tokenization.created_at.getTime() + activationHours * 3_600_000) {
    await expire(tokenization);
    return { outcome: "not_pending" };
  }
  const request = {
    gatewayKey: `${tokenization.id}-${randomBytes(16).toString("hex")}`,
    startedAt: clock.outside(() => clock.now()),
    card,
    email: tokenization.email,
    merchant: tokenization.business.name,
    returnPath: `/activate/${tokenization.token}?back=1`,
  } as const;
  const saved = await withDeadline(gateway.saveCard(request), gatewayDeadlineMs);
  return finish(tokenization, gateway, saved);
}

function nullIfRefused(error: unknown): null {
  if (error instanceof KeyRefused) return null;
  throw error;
}

/** Ends a tokenization whose payer has left the gateway's page, unless another request has opened a page meanwhile. */
async function expire({ id, setup_ref }: Pick<Activatable, "id" | "setup_ref">): Promise<void> {
  const now = clock.now();
  const where = { id, setup_ref, status: "pending", expires_at: { gt: now } };
  await db.tokenization.updateMany({ where, data: { expires_at: now } });
}

/**
 * A tokenization does not expire within this time after the gateway's page was opened: the payer may save the card until that page
 * closes, and the gateway reports it afterwards. Visits of the same page extend it to `activationHours` and this time at most.
 */
const openPageMs = 3_600_000;
const lastExpiryMs = activationHours * 3_600_000 + openPageMs;

/** @param before the tokenization as read before the gateway call */
async function finish(
  before: Pick<Activatable, "id" | "setup_ref">,
  gateway: Gateway,
  saved: SaveCardResult,
): Promise<ActivateResult> {
  const { id, setup_ref } = before;
  const now = clock.now();
  const pending = { id, status: "pending", expires_at: { gt: now } };
  switch (saved.outcome) {
    case "declined":
      return { outcome: "declined", reason: saved.reason };
    case "action": {
      const count = await execute(
        db,
        Prisma.sql`
        UPDATE tokenization SET gateway = ${gateway.name}, gateway_account_id = ${gateway.accountId}, setup_ref = ${saved.ref},
               expires_at = greatest(expires_at, least(${new Date(now.getTime() + openPageMs)}::timestamptz,
                                                       created_at + ${lastExpiryMs}::float8 * interval '1 millisecond'))
         WHERE id = ${id} AND status = 'pending' AND expires_at > ${now}::timestamptz AND setup_ref IS NOT DISTINCT FROM ${setup_ref}::text`,
      );
      // The first of two concurrent requests wins: only its page is looked up later, so both payers go there.
      const url = count === 1 ? saved.url : await refreshSetup(id);
      return url === null ? { outcome: "not_pending" } : { outcome: "action", url };
    }
    case "saved":
      return transaction(db, async (tx) => {
        const active = await activate(tx, pending, { gateway: gateway.name, accountId: gateway.accountId }, saved);
        return { outcome: active ? "active" : "not_pending" };
      });
  }
}

/**
 * Activates a pending tokenization with a saved card, and lets billing charge what its payer owes.
 * @returns false, with nothing written, unless `pending` matches
 */
export async function activate(
  tx: Db,
  pending: Prisma.TokenizationWhereInput,
  { gateway, accountId }: { gateway: string; accountId: string | null },
  { ref, card: { brand, last4, expMonth, expYear } }: SavedCard,
): Promise<boolean> {
  const at = { gateway, gateway_account_id: accountId, gateway_card: ref, activated_at: clock.now() };
  const card = { card_brand: brand, card_last4: last4, card_exp_month: expMonth, card_exp_year: expYear };
  const [active] = await tx.tokenization.updateManyAndReturn({
    where: { ...pending, status: "pending" },
    data: { ...at, ...card, status: "active" },
  });
  if (!active) return false;
  const tenant = { businessId: active.business_id, livemode: active.livemode };
  const data = eventTokenization(await tokenizations.get(tx, tenant, active.id));
  await record(tx, tenant, [{ type: "tokenization.activated", data }]);
  await afterCardSaved(tx, active);
  return true;
}

/**
 * Looks up the payer's progress at the gateway's page, and activates the tokenization once the card is saved.
 * @returns the gateway's page while the payer has not finished there
 */
export async function refreshSetup(id: string): Promise<string | null> {
  const row = await db.tokenization.findUnique({ where: { id } });
  if (!row || activatableState(row) !== "pending" || row.setup_ref === null) return null;
  const gateway = await gatewayFor(row);
  if (!gateway) return null;
  const saved = await withDeadline(gateway.lookupSave(row.setup_ref), lookupDeadlineMs);
  if (saved.outcome === "action") return saved.url;
  await finish(row, gateway, saved);
  return null;
}

/** Longer than a gateway's pauses between deliveries of the same callback. */
const postponedHours = 24;

/** Gives a tokenization at least `postponedHours`, so that it does not expire before the gateway can be asked for the saved card. */
async function postponeExpiry(id: string): Promise<void> {
  const now = clock.now();
  const until = new Date(now.getTime() + postponedHours * 3_600_000);
  const where = { id, status: "pending", expires_at: { gt: now, lt: until } };
  await db.tokenization.updateMany({ where, data: { expires_at: until } });
}

/**
 * Handles a callback about a saved card by looking it up at the gateway. If the lookup fails, postpones the tokenization's expiry.
 * @throws when the gateway or the database is unreachable
 */
export async function finishSetup(gateway: Gateway, key: string, businessId: number): Promise<void> {
  const id = key.split("-", 1)[0] ?? "";
  const row = await db.tokenization.findFirst({ where: { id, business_id: businessId } });
  if (row?.gateway_account_id !== gateway.accountId) return;
  await withClockOf(businessId, row.livemode, async () => {
    try {
      await refreshSetup(id);
    } catch (error) {
      await postponeExpiry(id);
      throw error;
    }
  });
}
