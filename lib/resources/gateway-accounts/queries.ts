import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "@/lib/client/call";
import { useMutation } from "@/lib/client/use-mutation";
import { settingsKey } from "@/lib/resources/settings/queries";
import { gatewayAccountEndpoints as endpoints, type gatewayAccountInput } from "./contract";

const root = ["gateway-accounts"] as const;

/** The account in use, if there is one, in the mode that the page shows. */
export function useConnectedAccount() {
  return useQuery({
    queryKey: root,
    queryFn: ({ signal }) => call(endpoints.list, { query: { status: "connected" }, signal }),
    select: ({ rows }) => rows[0] ?? null,
  });
}

function useChange<V, R>(mutationFn: (input: V) => Promise<R>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => {
      // The frame says whether payments can be taken.
      for (const queryKey of [root, settingsKey]) void client.invalidateQueries({ queryKey });
    },
  });
}

export const useConnect = () =>
  useChange((body: z.input<typeof gatewayAccountInput>) => call(endpoints.connect, { body }));

export const useDisconnect = () => useChange((id: string) => call(endpoints.disconnect, { id }));
