import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "@/lib/client/call";
import { useMutation } from "@/lib/client/use-mutation";
import { settingsEndpoints as endpoints, type Settings, type SettingsBody } from "./contract";

export const settingsKey = ["settings"] as const;

const settingsQuery = queryOptions({
  queryKey: settingsKey,
  queryFn: ({ signal }) => call(endpoints.get, { signal }),
  staleTime: 300_000,
});

export const useSettings = () => useQuery(settingsQuery);

/** Reads the settings once a minute while a restored database is held, so that the page shows its release. */
export const useHeldSettings = () =>
  useQuery({ ...settingsQuery, refetchInterval: ({ state }) => (state.data?.held_backup_at ? 60_000 : false) });

/** The business's time zone: undefined until it is loaded, UTC if that fails. */
export function useTimeZone(): string | undefined {
  const { data, isError } = useSettings();
  return data?.timezone ?? (isError ? "UTC" : undefined);
}

/** The currency that forms offer first; undefined until it is loaded. */
export function useOwnCurrency(): string | undefined {
  const { data, isError } = useSettings();
  return data?.currency ?? (isError ? "EUR" : undefined);
}

function useChange<V>(mutationFn: (input: V) => Promise<Settings>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: (settings) => client.setQueryData(settingsKey, settings) });
}

/** @param readAt the `updated_at` that the page has read: fails if the settings have changed since */
export const useUpdateSettings = () =>
  useChange(({ body, readAt }: { body: SettingsBody; readAt: string | null }) =>
    call(endpoints.update, { body, ifMatch: readAt ?? undefined }),
  );

/** @param readAt as of useUpdateSettings */
export const useSetLogo = () =>
  useChange(({ image, readAt }: { image: string; readAt: string | null }) =>
    call(endpoints.putLogo, { body: { image }, ifMatch: readAt ?? undefined }),
  );

/** @param readAt as of useUpdateSettings */
export const useRemoveLogo = () =>
  useChange((readAt: string | null) => call(endpoints.removeLogo, { ifMatch: readAt ?? undefined }));
