import { useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "@/lib/client/call";
import { useMutation } from "@/lib/client/use-mutation";
import { unknownChargeEndpoints as endpoints } from "./contract";

const root = ["unknown-charges"] as const;

export const useOpenCharges = () =>
  useQuery({ queryKey: root, queryFn: ({ signal }) => call(endpoints.list, { query: { status: "open" }, signal }) });

export function useAcknowledge() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, note }: { id: string; note: string }) => call(endpoints.acknowledge, { id, body: { note } }),
    onSettled: () => {
      for (const queryKey of [root, ["reports"]]) void client.invalidateQueries({ queryKey });
    },
  });
}
