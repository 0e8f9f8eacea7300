import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "@/lib/client/call";
import { askForPasskey, createPasskey } from "@/lib/client/passkeys";
import { read } from "@/lib/client/read";
import { useMutation } from "@/lib/client/use-mutation";
import type { usedPasskeyJson } from "@/lib/core/passkey-json";
import {
  accountEndpoints,
  businessEndpoints,
  type businessInput,
  type confirmationInput,
  type OwnBusiness,
  sessionEndpoints,
  twoFactorEndpoints,
} from "./contract";
import { type choiceInput, notificationChoiceEndpoints } from "./notifications-contract";
import { passkeyEndpoints, type passkeyInput } from "./passkeys-contract";
import { type SavedView, savedViewEndpoints, type ViewList } from "./saved-views-contract";

const root = ["account"] as const;

const all = { query: { per_page: "100" } } as const;

export const accountQueryOptions = () => queryOptions({ ...read(accountEndpoints.get), queryKey: root });

export const useAccount = () => useQuery(accountQueryOptions());

export const ownSessionsQueryOptions = () =>
  queryOptions({ ...read(sessionEndpoints.list, all), queryKey: [...root, "sessions"] });

export const useOwnSessions = () => useQuery(ownSessionsQueryOptions());

export const ownBusinessesQueryOptions = () =>
  queryOptions({ ...read(businessEndpoints.list, all), queryKey: [...root, "businesses"], staleTime: 300_000 });

export const useOwnBusinesses = () => useQuery(ownBusinessesQueryOptions());

export function useEnterBusiness() {
  return useMutation({ mutationFn: (id: string) => call(businessEndpoints.enter, { id }) });
}

export function useCreateBusiness() {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: { body: z.input<typeof businessInput>; idempotencyKey: string }) =>
      call(businessEndpoints.create, { body, idempotencyKey }),
  });
}

export function useLeaveBusiness() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ _id }: OwnBusiness) => call(businessEndpoints.leave, { id: _id }),
    onSettled: (_, error, { current }) => {
      // Leaving the current business has ended the session.
      if (error || !current) void client.invalidateQueries({ queryKey: root });
    },
  });
}

function useChange<V, R>(mutationFn: (input: V) => Promise<R>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => client.invalidateQueries({ queryKey: root }) });
}

export const useRename = () => useChange((body: { name: string }) => call(accountEndpoints.update, { body }));

export const useChangePassword = () =>
  useChange((body: { current_password: string; password: string }) => call(accountEndpoints.password, { body }));

export const useEndSession = () => useChange((id: string) => call(sessionEndpoints.remove, { id }));

export const useEndOtherSessions = () => useChange((_: undefined) => call(sessionEndpoints.removeOthers));

/** Changes no data that a page shows. */
export function useConfirmIdentity() {
  return useMutation({
    mutationFn: (body: z.input<typeof confirmationInput>) => call(sessionEndpoints.confirm, { body }),
  });
}

/** @throws PasskeyRefused, ApiFailure */
export function useConfirmByPasskey() {
  return useMutation({
    mutationFn: async () => {
      const { options } = await call(passkeyEndpoints.beginConfirmation);
      const passkey = (await askForPasskey(options)) as z.input<typeof usedPasskeyJson>;
      await call(sessionEndpoints.confirm, { body: { passkey } });
    },
  });
}

export const ownPasskeysQueryOptions = () =>
  queryOptions({ ...read(passkeyEndpoints.list, all), queryKey: [...root, "passkeys"] });

export const useOwnPasskeys = () => useQuery(ownPasskeysQueryOptions());

export type PasskeyBody = z.input<typeof passkeyInput>;

/** Asks the device for a new passkey. @throws PasskeyRefused, ApiFailure */
export async function makePasskey(): Promise<PasskeyBody["passkey"]> {
  const { options } = await call(passkeyEndpoints.begin);
  return (await createPasskey(options)) as PasskeyBody["passkey"];
}

export const useAddPasskey = () =>
  useChange(({ body, idempotencyKey }: { body: PasskeyBody; idempotencyKey: string }) =>
    call(passkeyEndpoints.create, { body, idempotencyKey }),
  );

export const useRemovePasskey = () => useChange((id: string) => call(passkeyEndpoints.remove, { id }));

export const useBeginTwoFactor = () => useChange((_: undefined) => call(twoFactorEndpoints.begin));

export const useConfirmTwoFactor = () =>
  useChange((body: { code: string }) => call(twoFactorEndpoints.confirm, { body }));

export const useEndTwoFactor = () =>
  useChange((body: { password: string }) => call(twoFactorEndpoints.disable, { body }));

const choiceKey = [...root, "notifications"] as const;

export const notificationChoiceQueryOptions = () =>
  queryOptions({ ...read(notificationChoiceEndpoints.get), queryKey: choiceKey });

export const useNotificationChoice = () => useQuery(notificationChoiceQueryOptions());

export function useUpdateNotificationChoice() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof choiceInput>) => call(notificationChoiceEndpoints.update, { body }),
    onSuccess: (choice) => client.setQueryData(choiceKey, choice),
  });
}

/** @param list only those of one list; the newest of all lists otherwise */
export const savedViewsQueryOptions = (list?: ViewList) =>
  queryOptions({
    ...read(savedViewEndpoints.list, { query: { list, per_page: "100" } }),
    queryKey: [...root, "saved-views", list ?? "all"],
    staleTime: 300_000,
  });

/** @param list as of savedViewsQueryOptions */
export const useSavedViews = (list?: ViewList) => useQuery(savedViewsQueryOptions(list));

export const useCreateSavedView = () =>
  useChange(
    ({ body, idempotencyKey }: { body: z.input<typeof savedViewEndpoints.create.body>; idempotencyKey: string }) =>
      call(savedViewEndpoints.create, { body, idempotencyKey }),
  );

export const useSaveView = () =>
  useChange(({ id, body }: { id: SavedView["_id"]; body: z.input<typeof savedViewEndpoints.update.body> }) =>
    call(savedViewEndpoints.update, { id, body }),
  );

export const useDeleteSavedView = () => useChange((id: string) => call(savedViewEndpoints.remove, { id }));
