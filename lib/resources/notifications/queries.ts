import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "@/lib/client/call";
import { read } from "@/lib/client/read";
import { useMutation } from "@/lib/client/use-mutation";
import { notificationEndpoints as endpoints, type readInput } from "./contract";

const root = ["notifications"] as const;

/** Every page shows the count. It comes with the HTML and is read once a minute while the tab is visible. */
export const notificationsQueryOptions = () =>
  queryOptions({ ...read(endpoints.get), queryKey: root, refetchInterval: 60_000, staleTime: 30_000 });

export const useNotifications = () => useQuery(notificationsQueryOptions());

export function useMarkRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof readInput>) => call(endpoints.read, { body }),
    onSuccess: async (notifications) => {
      await client.cancelQueries({ queryKey: root }); // an earlier response would show them as unread again
      client.setQueryData(root, notifications);
    },
  });
}

/** After the choice has changed. */
export function useReloadNotifications(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: root });
}
