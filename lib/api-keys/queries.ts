import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "@/lib/api/client";
import { type apiKeyInput, apiKeyEndpoints as endpoints } from "./contract";

const root = ["api-keys"] as const;

export type ApiKeyFilter = { usable?: "true" | "false"; cursor?: string };

/** One page of keys, newest first. */
export function useApiKeys(filter: ApiKeyFilter) {
  return useQuery({
    queryKey: [...root, filter],
    queryFn: ({ signal }) => call(endpoints.list, { query: filter, signal }),
    placeholderData: keepPreviousData,
  });
}

function useChange<V, R>(mutationFn: (input: V) => Promise<R>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => void client.invalidateQueries({ queryKey: root }) });
}

export type ApiKeyBody = z.input<typeof apiKeyInput>;

export const useCreateKey = () =>
  useChange(({ body, idempotencyKey }: { body: ApiKeyBody; idempotencyKey: string }) =>
    call(endpoints.create, { body, idempotencyKey }),
  );

export const useRotateKey = () =>
  useChange(({ id, overlap_hours }: { id: string; overlap_hours: number }) =>
    call(endpoints.rotate, { id, body: { overlap_hours } }),
  );

export const useRevokeKey = () => useChange((id: string) => call(endpoints.remove, { id }));
