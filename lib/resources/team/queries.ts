import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Role } from "@/lib/auth/scopes";
import { call } from "@/lib/client/call";
import { read, readWith } from "@/lib/client/read";
import { useMutation } from "@/lib/client/use-mutation";
import { invitationEndpoints, teamEndpoints } from "./contract";

const root = ["team"] as const;

/** Teams are small: one page nearly always has all members. */
const all = { per_page: "100", sort: "created_at" } as const;

export const membersQueryOptions = () =>
  queryOptions({ ...read(teamEndpoints.list, { query: all }), queryKey: [...root, "members"] });

export const invitationsQueryOptions = () =>
  queryOptions({
    ...readWith(async (read) => {
      const { rows } = await read(invitationEndpoints.list, { query: { per_page: "100" } });
      return rows.filter(({ status }) => status === "open" || status === "expired");
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
