import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Role } from "@/lib/auth/scopes";
import { call } from "@/lib/client/call";
import { read, readWith } from "@/lib/client/read";
import type { Rows } from "@/lib/client/result";
import { useMutation } from "@/lib/client/use-mutation";
import { invitationEndpoints, teamEndpoints } from "./contract";

const root = ["team"] as const;

/** Teams are small: nearly always one page. */
async function allPages<Row>(readPage: (page: { per_page: string; cursor: string | null }) => Promise<Rows<Row>>) {
  const all: Row[] = [];
  let cursor: string | null = null;
  do {
    const { rows, page }: Rows<Row> = await readPage({ per_page: "100", cursor });
    all.push(...rows);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return all;
}

export const membersQueryOptions = () =>
  queryOptions({
    ...readWith((read) => allPages((page) => read(teamEndpoints.list, { query: { ...page, sort: "created_at" } }))),
    queryKey: [...root, "members"],
  });

export const invitationsQueryOptions = () =>
  queryOptions({
    ...readWith(async (read) => {
      const of = (status: "open" | "expired") =>
        allPages((page) => read(invitationEndpoints.list, { query: { ...page, status } }));
      return (await Promise.all([of("open"), of("expired")])).flat();
    }),
    queryKey: [...root, "invitations"],
  });

export const useInvitations = () => useQuery(invitationsQueryOptions());

function useChange<V, R>(mutationFn: (input: V) => Promise<R>) {
  const client = useQueryClient();
  // Also after a refusal, because the team has changed.
  return useMutation({ mutationFn, onSettled: () => void client.invalidateQueries({ queryKey: root }) });
}

export const useInvite = () =>
  useChange(({ idempotencyKey, ...body }: { email: string; role: Role; idempotencyKey: string }) =>
    call(invitationEndpoints.create, { body, idempotencyKey }),
  );

export const useResend = () =>
  useChange(({ id, idempotencyKey }: { id: string; idempotencyKey: string }) =>
    call(invitationEndpoints.resend, { id, idempotencyKey }),
  );

export const useWithdraw = () => useChange((id: string) => call(invitationEndpoints.remove, { id }));

export const useChangeRole = () =>
  useChange(({ id, role }: { id: string; role: Role }) => call(teamEndpoints.update, { id, body: { role } }));

export const useEndMemberSessions = () => useChange((id: string) => call(teamEndpoints.endSessions, { id }));

export const memberKeysQueryOptions = (id: string) =>
  queryOptions({ ...read(teamEndpoints.keys, { id }), queryKey: [...root, "keys", id] });

export const useRemoveMember = () =>
  useChange(({ id, keepKeys }: { id: string; keepKeys: string[] }) =>
    call(teamEndpoints.remove, { id, query: { keep_keys: keepKeys.join(",") } }),
  );
