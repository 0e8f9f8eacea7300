import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "@/lib/client/call";
import { read } from "@/lib/client/read";
import { useMutation } from "@/lib/client/use-mutation";
import {
  tokenizationEndpoints as endpoints,
  type Tokenization,
  type tokenizationInput,
  type tokenizationStatuses,
} from "./contract";

export type TokenizationFilter = {
  status?: (typeof tokenizationStatuses)[number];
  q?: string;
  cursor?: string;
};

const root = ["tokenizations"] as const;

function useInvalidate() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: root });
}

/** One page of tokenizations, newest first. While the next page or filter loads, the previous rows stay. */
export const tokenizationsQueryOptions = (filter: TokenizationFilter) =>
  queryOptions({
    ...read(endpoints.list, { query: filter }),
    queryKey: [...root, "list", filter],
    placeholderData: keepPreviousData,
  });

/** How often a page looks again whether its payer has saved a card (milliseconds). */
const lookEvery = 5_000;

/** One tokenization, looked at again as long as its payer can save a card. */
export const tokenizationQueryOptions = (id: string) =>
  queryOptions({
    ...read(endpoints.get, { id }),
    queryKey: [...root, "one", id],
    refetchInterval: ({ state: { data } }) => (data?.status === "pending" ? lookEvery : false),
  });

export type SavedCard = NonNullable<Tokenization["card"]>;

/** A card with the tokenization by which it was saved. */
export type ChargedCard = SavedCard & { tokenization_id: string };

/**
 * The card that billing charges for an e-mail: the one saved last, whatever the address's upper and lower case. Null when
 * there is none.
 */
export function useSavedCard(email: string, refetchInterval: number | false, enabled = true) {
  return useQuery({
    enabled,
    queryKey: [...root, "card", email.toLowerCase()],
    queryFn: async ({ signal }): Promise<ChargedCard | null> => {
      // By words, because the filter by e-mail minds the case and billing does not.
      const query = { q: email.slice(0, 200), status: "active", per_page: "100" } as const;
      const { rows } = await call(endpoints.list, { query, signal });
      const theirs = rows.filter((row) => row.email.toLowerCase() === email.toLowerCase());
      theirs.sort((a, b) => ((a.activated_at ?? "") < (b.activated_at ?? "") ? 1 : -1));
      const [newest] = theirs;
      return newest?.card ? { ...newest.card, tokenization_id: newest._id } : null;
    },
    refetchInterval,
  });
}

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
