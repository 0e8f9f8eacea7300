import type { Actor } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { type Db, isUniqueViolation, Prisma, queryRows, transaction } from "@/lib/core/db";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { newId } from "@/lib/core/id";
import { metadataKey } from "@/lib/core/metadata-key";
import type { Page } from "@/lib/http/handle";
import { savedViews } from "./resource";
import type { SavedView, SavedViewInput, SavedViewListQuery, SavedViewUpdate, ViewList } from "./saved-views-contract";
import { personOf } from "./service";

const maxViewsPerList = 30;

const memberOf = (actor: Actor) => ({ userId: personOf(actor).userId, businessId: actor.businessId });
type Member = ReturnType<typeof memberOf>;

export const listSavedViews = (tx: Db, actor: Actor, query: SavedViewListQuery): Promise<Page<SavedView>> =>
  savedViews.list(tx, memberOf(actor), query);

/** @throws ApiError too_many_saved_views, saved_view_exists */
export function createSavedView(tx: Db, actor: Actor, input: SavedViewInput): Promise<SavedView> {
  const { list, name, query, is_default } = input;
  const member = memberOf(actor);
  const { userId: user_id, businessId: business_id } = member;
  return changeViews(tx, member, async (tx) => {
    if ((await tx.savedView.count({ where: { user_id, business_id, list } })) >= maxViewsPerList)
      throw new ApiError("too_many_saved_views");
    if (is_default) await endDefault(tx, member, list);
    const row = { id: newId("svw"), user_id, business_id, list, name, query: lasting(query) };
    return savedViews.insert(tx, { ...row, is_default: is_default === true });
  });
}

/** @throws ApiError not_found, saved_view_exists */
export function updateSavedView(tx: Db, actor: Actor, id: string, input: SavedViewUpdate): Promise<SavedView> {
  const { name, query, is_default } = input;
  const member = memberOf(actor);
  return changeViews(tx, member, async (tx) => {
    const { list } = await savedViews.get(tx, member, id);
    if (is_default) await endDefault(tx, member, list);
    const set = Prisma.sql`
      name = ${name}, query = ${lasting(query)}, is_default = ${is_default === true}, updated_at = ${clock.now()}`;
    return savedViews.orNotFound(await savedViews.update(tx, member, id, set));
  });
}

/** @throws ApiError not_found */
export function deleteSavedView(tx: Db, actor: Actor, id: string): Promise<SavedView & { deleted: true }> {
  const member = memberOf(actor);
  return changeViews(tx, member, async (tx) => {
    const view = await savedViews.get(tx, member, id);
    await tx.savedView.delete({ where: { id } });
    return { ...view, deleted: true as const };
  });
}

/** The query of the list's default view; null if it has none. */
export async function defaultViewQuery(tx: Db, member: Member, list: ViewList): Promise<string | null> {
  const { userId: user_id, businessId: business_id } = member;
  const found = await tx.savedView.findFirst({
    where: { user_id, business_id, list, is_default: true },
    select: { query: true },
  });
  return found?.query ?? null;
}

/** One change of a person's views after the other, so that the limit and the one default hold. */
async function changeViews<T>(tx: Db, { userId, businessId }: Member, change: (tx: Db) => Promise<T>): Promise<T> {
  try {
    return await transaction(tx, async (tx) => {
      await queryRows(
        tx,
        Prisma.sql`
        SELECT user_id FROM membership WHERE business_id = ${businessId} AND user_id = ${userId} FOR NO KEY UPDATE`,
      );
      return change(tx);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new ApiError("saved_view_exists");
    throw error;
  }
}

const endDefault = (tx: Db, { userId: user_id, businessId: business_id }: Member, list: ViewList) =>
  tx.savedView.updateMany({ where: { user_id, business_id, list, is_default: true }, data: { is_default: false } });

/** What a view keeps of an address: not the place in the list, nor what is open beside it. */
const passing = ["cursor", "peek", "view", "create"];

/** Next.js hides other names, such as _rsc, from the page. It would then redirect to its default view endlessly. */
const nameShape = new RegExp(`^([a-z][a-z0-9_]*|metadata\\[${metadataKey.source}\\])$`);
/** The longest query, percent-encoded: the server refuses longer addresses, and one character can become twelve. */
const maxLength = 6_000;

/** In the order of the names, so that equal views have equal queries. @throws ValidationError for a query that no address can have */
function lasting(query: string): string {
  const params = new URLSearchParams(query);
  for (const name of [...params.keys()]) if (passing.includes(name) || !nameShape.test(name)) params.delete(name);
  params.sort();
  const kept = params.toString();
  if (kept.length > maxLength) throw new ValidationError({ query: ["The query is too long for an address."] });
  return kept;
}
