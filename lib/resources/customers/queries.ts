import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "@/lib/client/call";
import { type ListFilter, listOptions } from "@/lib/client/list-options";
import { type Read, read } from "@/lib/client/read";
import { useMutation } from "@/lib/client/use-mutation";
import { lowerAscii } from "@/lib/core/email";
import { type Customer, type customerUpdate, customerEndpoints as endpoints, maxNamedEmails } from "./contract";

const root = ["customers"] as const;

export const customersQueryOptions = (filter: ListFilter<typeof endpoints.list>) =>
  queryOptions(listOptions(endpoints.list, root, filter));

export const customerQueryOptions = (email: string) =>
  queryOptions({
    ...read(endpoints.get, { id: email }),
    queryKey: [...root, "one", email.toLowerCase()],
    refetchInterval: 15_000,
  });

/** By what reads them: addresses whose names are wanted now, and the promises that wait for them. */
const waiting = new Map<Read, Map<string, ((name: string | null) => void)[]>>();

/** Loads the names of all addresses that are asked for at the same time with one request for each `maxNamedEmails`. */
const loadName = (read: Read, email: string) =>
  new Promise<string | null>((resolve) => {
    if (!waiting.has(read)) setTimeout(() => loadWaiting(read));
    const emails = waiting.get(read) ?? new Map();
    waiting.set(read, emails.set(email, [...(emails.get(email) ?? []), resolve]));
  });

function loadWaiting(read: Read): void {
  const all = [...(waiting.get(read) ?? [])];
  waiting.delete(read);
  for (let start = 0; start < all.length; start += maxNamedEmails) {
    const part = all.slice(start, start + maxNamedEmails);
    const done = (names: ReadonlyMap<string, string>) => {
      for (const [email, resolves] of part) for (const resolve of resolves) resolve(names.get(email) ?? null);
    };
    const emails = part.map(([email]) => email).join(",");
    read(endpoints.names, { query: { emails } }).then(
      ({ names }) => done(new Map(names.map(({ email, name }) => [email, name]))),
      () => done(new Map()), // lists show the addresses alone
    );
  }
}

export const nameQueryOptions = (email: string) => {
  const key = lowerAscii(email);
  return queryOptions({
    queryKey: [...root, "name", key],
    queryFn: () => loadName(call, key),
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

export type CustomerBody = z.input<typeof customerUpdate>;

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

/** The currency in which the customer has paid most often first. */
export const mostPaidFirst = (totals: Customer["totals"]): Customer["totals"] =>
  [...totals].sort((a, b) => b.paid_count - a.paid_count || (a.currency < b.currency ? -1 : 1));
