import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { call } from "@/lib/client/call";
import { read } from "@/lib/client/read";
import { useMutation } from "@/lib/client/use-mutation";
import { unknownChargeEndpoints as endpoints } from "./contract";

const root = ["unknown-charges"] as const;

export const openChargesQueryOptions = () =>
  queryOptions({ ...read(endpoints.list, { query: { status: "open" } }), queryKey: root });

export function useAcknowledge() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, note }: { id: string; note: string }) => call(endpoints.acknowledge, { id, body: { note } }),
    onSettled: () => {
      for (const queryKey of [root, ["reports"]]) void client.invalidateQueries({ queryKey });
    },
  });
}
