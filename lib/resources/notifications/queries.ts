import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "@/lib/client/call";
import { useMutation } from "@/lib/client/use-mutation";
import { notificationEndpoints as endpoints, type readInput } from "./contract";

const root = ["notifications"] as const;

/** Every page shows the count: one request when the frame has loaded, and one a minute while its tab is visible. */
export const useNotifications = () =>
  useQuery({
    queryKey: root,
    queryFn: ({ signal }) => call(endpoints.get, { signal }),
    refetchInterval: 60_000,
    staleTime: 30_000,
  });

export function useMarkRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof readInput>) => call(endpoints.read, { body }),
    onSuccess: (notifications) => client.setQueryData(root, notifications),
  });
}

/** After the choice has changed. */
export function useReloadNotifications(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: root });
}
