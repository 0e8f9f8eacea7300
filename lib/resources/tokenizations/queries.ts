import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "@/lib/client/call";
import { type ListFilter, listOptions } from "@/lib/client/list-options";
import { type Read, read, readWith } from "@/lib/client/read";
import { useMutation } from "@/lib/client/use-mutation";
import { tokenizationEndpoints as endpoints, type Tokenization, type tokenizationInput } from "./contract";

const root = ["tokenizations"] as const;

function useInvalidate() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: root });
}

export const tokenizationsQueryOptions = (filter: ListFilter<typeof endpoints.list>) =>
  queryOptions(listOptions(endpoints.list, root, filter));

/** Refetches while the payer can save a card. */
export const tokenizationQueryOptions = (id: string) =>
  queryOptions({
    ...read(endpoints.get, { id }),
    queryKey: [...root, "one", id],
    refetchInterval: ({ state: { data } }) => (data?.status === "pending" ? 5_000 : false),
  });

export type SavedCard = NonNullable<Tokenization["card"]>;

export type SavedCardRow = Tokenization & { card: SavedCard };

async function loadCards(read: Read, email: string): Promise<SavedCardRow[]> {
  const { rows } = await read(endpoints.list, { query: { email, status: "active", per_page: "100" } });
  return rows
    .filter((row): row is SavedCardRow => row.card !== null)
    .sort((a, b) => ((a.activated_at ?? "") < (b.activated_at ?? "") ? 1 : -1));
}

/** Leaves out cards that a bank has permanently declined. */
const chargeable = (cards: SavedCardRow[]) => cards.filter(({ declined_at }) => declined_at === null);

/** All cards of an e-mail, the last one saved first. Some may be permanently declined. */
export const savedCardsQueryOptions = (email: string) =>
  queryOptions({
    ...readWith((read) => loadCards(read, email)),
    queryKey: [...root, "cards", email.toLowerCase()],
  });

/** The cards of an e-mail that can be charged, the last one saved first; without expired ones. */
export const useSavedCards = (email: string, enabled: boolean) =>
  useQuery({
    ...savedCardsQueryOptions(email),
    select: (cards) => chargeable(cards).filter(({ card_expired }) => !card_expired),
    enabled,
  });

const asCharged = (row: SavedCardRow | undefined) => (row ? { ...row.card, tokenization_id: row._id } : null);

/** The card that billing charges, of all cards of an e-mail: the last one saved. Null if there is none. */
export const chargedCard = (cards: SavedCardRow[]) => asCharged(chargeable(cards)[0]);

/** The card that billing charges for an e-mail: the last one saved. Null if there is none. */
export const useSavedCard = (email: string, refetchInterval: number | false, enabled = true) =>
  useQuery({
    ...savedCardsQueryOptions(email),
    select: chargedCard,
    refetchInterval,
    enabled,
  });

/** The last card that an e-mail saved, if banks have permanently declined all of its cards; else null. */
export const useDeclinedCard = (email: string) =>
  useQuery({
    ...savedCardsQueryOptions(email),
    select: (cards) => (chargeable(cards).length === 0 ? asCharged(cards[0]) : null),
  });

export type ChargedCard = NonNullable<ReturnType<typeof useSavedCard>["data"]>;

export type TokenizationBody = z.input<typeof tokenizationInput>;

export function useCreateTokenization() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: { body: TokenizationBody; idempotencyKey: string }) =>
      call(endpoints.create, { body, idempotencyKey }),
    onSuccess: invalidate,
  });
}

export function useRevokeTokenization() {
  const invalidate = useInvalidate();
  return useMutation({ mutationFn: (id: string) => call(endpoints.revoke, { id }), onSettled: invalidate });
}
