import { useQuery } from "@tanstack/react-query";
import { call } from "@/lib/client/call";
import { tokenizationEndpoints as endpoints, type Tokenization } from "./contract";
import type { SavedCard } from "./queries";

/** A tokenization whose card can be charged. */
export type ChargeableCard = Tokenization & { card: SavedCard };

/** Every card that was saved for an e-mail and can be charged, the newest first. */
export function useSavedCards(email: string, enabled = true) {
  return useQuery({
    queryKey: ["tokenizations", "cards", email.toLowerCase()],
    queryFn: async ({ signal }) => {
      // By words, because the filter by e-mail minds the case and charging does not.
      const query = { q: email.slice(0, 200), status: "active", per_page: "100" } as const;
      const { rows } = await call(endpoints.list, { query, signal });
      return rows
        .filter((row): row is ChargeableCard => row.card !== null && row.email.toLowerCase() === email.toLowerCase())
        .sort((a, b) => ((a.activated_at ?? "") < (b.activated_at ?? "") ? 1 : -1));
    },
    enabled,
  });
}
