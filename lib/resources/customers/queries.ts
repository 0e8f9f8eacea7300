import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "@/lib/client/call";
import { type ListFilter, listOptions } from "@/lib/client/list-options";
import { type Read, read } from "@/lib/client/read";
import { useMutation } from "@/lib/client/use-mutation";
import { lowerAscii } from "@/lib/core/email";
import { type customerUpdate, customerEndpoints as endpoints, maxNamedEmails } from "./contract";

const root = ["customers"] as const;

export const customersQueryOptions = (filter: ListFilter<typeof endpoints.list>) =>
  queryOptions(listOptions(endpoints.list, root, filter));

export const customerQueryOptions = (email: string) =>
  queryOptions({
    ...read(endpoints.get, { id: email }),
    queryKey: [...root, "one", email.toLowerCase()],
    refetchInterval: 15_000,
  });

/** Names that are asked for at the same time, by what reads them. */
const batches = new Map<Read, { emails: Set<string>; names: Promise<ReadonlyMap<string, string>> }>();

async function loadName(read: Read, email: string): Promise<string | null> {
  const emails = new Set<string>();
  const batch = batches.get(read) ?? { emails, names: loadNames(read, emails) };
  batches.set(read, batch);
  batch.emails.add(email);
  return (await batch.names).get(email) ?? null;
}

/** Sends one request for each `maxNamedEmails` addresses that are added to `emails` until the next turn of the event loop. */
async function loadNames(read: Read, emails: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
  await new Promise((resolve) => setTimeout(resolve));
  batches.delete(read);
  const all = [...emails];
  const requests = [];
  for (let start = 0; start < all.length; start += maxNamedEmails)
    requests.push(read(endpoints.names, { query: { emails: all.slice(start, start + maxNamedEmails).join(",") } }));
  const found = await Promise.all(requests);
  return new Map(found.flatMap(({ names }) => names.map(({ email, name }) => [email, name] as const)));
}

export const nameQueryOptions = (email: string) => {
  const key = lowerAscii(email);
  return queryOptions({
    queryKey: [...root, "name", key],
    queryFn: () => loadName(call, key).catch(() => null), // lists show the addresses alone
    meta: { load: (read) => loadName(read, key) },
    staleTime: 60_000,
  });
};

/** The name of a customer, to be shown beside the address; null if it is not known. */
export function useCustomerName(email: string): string | null {
  const { data = null } = useQuery(nameQueryOptions(email));
  return data;
}

/** Returns a function that reads the name of a customer; null if it is not known. */
export function useReadCustomerName(): (email: string) => Promise<string | null> {
  const client = useQueryClient();
  return (email) => client.fetchQuery(nameQueryOptions(email));
}

type CustomerBody = z.input<typeof customerUpdate>;

export function useChangeEmail(email: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ to, idempotencyKey }: { to: string; idempotencyKey: string }) =>
      call(endpoints.changeEmail, { id: email, body: { email: to }, idempotencyKey }),
    // Lists of links, subscriptions and cards show the address, too.
    onSettled: () => client.invalidateQueries(),
  });
}

export function useChangeCustomer(email: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CustomerBody) => call(endpoints.update, { id: email, body }),
    onSettled: () => client.invalidateQueries({ queryKey: root }),
  });
}
