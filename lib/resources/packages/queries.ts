import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "@/lib/client/call";
import { type ListFilter, listOptions } from "@/lib/client/list-options";
import { read } from "@/lib/client/read";
import { useMutation } from "@/lib/client/use-mutation";
import { packageEndpoints as endpoints, type PackageWithCounts, type packageUpdate } from "./contract";

const root = ["packages"] as const;

/** Subscriptions show their package. A removed package is not fetched again. */
function useInvalidate() {
  const client = useQueryClient();
  return (removedId?: string) =>
    Promise.all([
      client.invalidateQueries({
        queryKey: root,
        predicate: ({ queryKey }) => !removedId || queryKey[2] !== removedId,
      }),
      client.invalidateQueries({ queryKey: ["subscriptions"] }),
    ]);
}

export const packagesQueryOptions = (filter: ListFilter<typeof endpoints.list>) =>
  queryOptions(listOptions(endpoints.list, root, filter));

export const packageQueryOptions = (id: string) =>
  queryOptions({
    ...read(endpoints.get, { id }),
    queryKey: [...root, "one", id],
  });

const maxPages = 5;

/** All packages, for a choice. @param enabled whether they are wanted already */
export function usePackageChoices(enabled = true) {
  return useQuery({
    enabled,
    queryKey: [...root, "choices"],
    queryFn: async ({ signal }) => {
      const all: PackageWithCounts[] = [];
      let cursor: string | null = null;
      for (let pages = 0; pages < maxPages && (pages === 0 || cursor !== null); pages++) {
        const query: { per_page: string; cursor: string | null } = { per_page: "100", cursor };
        const { rows, page } = await call(endpoints.list, { query, signal });
        all.push(...rows);
        cursor = page.next_cursor;
      }
      return all;
    },
    staleTime: 60_000,
  });
}

/** For an update; a new package ignores what only an update has. */
export type PackageBody = z.input<typeof packageUpdate>;

/** The package as it was read; null for a new one. */
type Was = Pick<PackageWithCounts, "_id" | "updated_at"> | null;

export const readPackage = (id: string) => call(endpoints.get, { id });

export function useSavePackage() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: ({ was, body, idempotencyKey }: { was: Was; body: PackageBody; idempotencyKey: string }) =>
      was === null
        ? call(endpoints.create, { body, idempotencyKey })
        : call(endpoints.update, { id: was._id, body, ifMatch: was.updated_at }),
    onSettled: () => invalidate(),
  });
}

export type PackageAction = "cancel" | "remove";

export function usePackageAction() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: async ({ id, action }: { id: string; action: PackageAction }) => {
      if (action === "remove") return call(endpoints.remove, { id });
      // The update replaces every field, so it sends the current fields instead of those that this page has read.
      const now = await call(endpoints.get, { id });
      const { name, description, amount_cents, currency, frequency, date_charge_start } = now;
      const same = { name, description, amount: amount_cents, currency, frequency, date_charge_start };
      return call(endpoints.update, { id, body: { ...same, status: "cancel" }, ifMatch: now.updated_at });
    },
    // Also after a refusal, because the package has changed.
    onSettled: (_, error, { id, action }) => void invalidate(action === "remove" && !error ? id : undefined),
  });
}
