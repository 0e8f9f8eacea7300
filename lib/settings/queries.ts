import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "@/lib/api/client";
import { settingsEndpoints as endpoints, type Settings, type SettingsBody } from "./contract";

const root = ["settings"] as const;

export function useSettings() {
  return useQuery({ queryKey: root, queryFn: ({ signal }) => call(endpoints.get, { signal }), staleTime: 300_000 });
}

function useChange<V>(mutationFn: (input: V) => Promise<Settings>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: (settings) => client.setQueryData(root, settings) });
}

export const useUpdateSettings = () => useChange((body: SettingsBody) => call(endpoints.update, { body }));

export const useSetLogo = () => useChange((image: string) => call(endpoints.putLogo, { body: { image } }));

export const useRemoveLogo = () => useChange((_: undefined) => call(endpoints.removeLogo));
