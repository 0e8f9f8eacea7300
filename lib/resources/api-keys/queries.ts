import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { ApiFailure } from "@/lib/client/api-failure";
import { call } from "@/lib/client/call";
import { type ListFilter, listOptions } from "@/lib/client/list-options";
import { read } from "@/lib/client/read";
import { useMutation } from "@/lib/client/use-mutation";
import { type apiKeyInput, apiKeyEndpoints as endpoints } from "./contract";

const root = ["api-keys"] as const;

export const apiKeysQueryOptions = (filter: ListFilter<typeof endpoints.list>) =>
  queryOptions(listOptions(endpoints.list, root, filter));

export const apiKeyQueryOptions = (id: string) =>
  queryOptions({
    ...read(endpoints.get, { id }),
    queryKey: [...root, "key", id],
  });

function useChange<V, R>(mutationFn: (input: V) => Promise<R>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => void client.invalidateQueries({ queryKey: root }) });
}

export type ApiKeyBody = z.input<typeof apiKeyInput>;

export const useCreateKey = () =>
  useChange(({ body, idempotencyKey }: { body: ApiKeyBody; idempotencyKey: string }) =>
    call(endpoints.create, { body, idempotencyKey }),
  );

/**
 * Without a response the list stays as it is, so that the rotation can be repeated from its row. A refusal because of the
 * key's state means that the list is out of date.
 */
export function useRotateKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({
      id,
      overlap_hours,
      idempotencyKey,
    }: {
      id: string;
      overlap_hours: number;
      idempotencyKey: string;
    }) => call(endpoints.rotate, { id, body: { overlap_hours }, idempotencyKey }),
    onSuccess: () => void client.invalidateQueries({ queryKey: root }),
    onError: (error) => {
      if (error instanceof ApiFailure && (error.status === 404 || error.code === "key_not_usable"))
        void client.invalidateQueries({ queryKey: root });
    },
  });
}

export const useRevokeKey = () => useChange((id: string) => call(endpoints.remove, { id }));
