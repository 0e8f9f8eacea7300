import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "@/lib/client/call";
import { read } from "@/lib/client/read";
import { useMutation } from "@/lib/client/use-mutation";
import { settingsKey } from "@/lib/resources/settings/queries";
import { gatewayAccountEndpoints as endpoints, type gatewayAccountInput } from "./contract";

const root = ["gateway-accounts"] as const;

export const connectedAccountsQueryOptions = () =>
  queryOptions({ ...read(endpoints.list, { query: { status: "connected" } }), queryKey: root });

/** Null if none is connected. */
export const useConnectedAccount = () =>
  useQuery({ ...connectedAccountsQueryOptions(), select: ({ rows }) => rows[0] ?? null });

function useChange<V, R>(mutationFn: (input: V) => Promise<R>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => {
      // The settings have can_take_payments.
      for (const queryKey of [root, settingsKey]) void client.invalidateQueries({ queryKey });
    },
  });
}

export const useConnect = () =>
  useChange((body: z.input<typeof gatewayAccountInput>) => call(endpoints.connect, { body }));

export const useDisconnect = () => useChange((id: string) => call(endpoints.disconnect, { id }));
