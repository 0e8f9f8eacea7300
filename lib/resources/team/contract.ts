import { z } from "zod";
import { roles } from "@/lib/auth/scopes";
import { endpoint } from "@/lib/http/endpoint";
import { email, optional } from "@/lib/http/fields";
import { listQuery } from "@/lib/http/list-query";
import { apiKey, apiKeyExample } from "@/lib/resources/api-keys/contract";

export const member = z.object({
  _id: z.string().describe("The person."),
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  two_factor: z
    .boolean()
    .describe("Whether the password alone does not sign in: the person has an authenticator app or a passkey."),
  last_seen_at: z.string().nullable().describe("Of those who are signed in."),
  business_id: z.int(),
  created_at: z.string().describe("When the person joined."),
});
export type Member = z.infer<typeof member>;

const memberKeys = z.object({
  _id: z.string().describe("The person."),
  api_keys: z.array(apiKey).describe("Those that still work, of both modes."),
});
export type MemberKeys = z.infer<typeof memberKeys>;

export const removalQuery = z.object({
  keep_keys: optional(
    z
      .string()
      .max(5_000)
      .describe(
        "Ids of API keys that the person made, separated by commas, that keep working. They become the caller's.",
      ),
  ).transform((ids) => (ids === null ? [] : ids.split(","))),
});

export const invitationStatuses = ["open", "expired", "accepted", "withdrawn"] as const;

export const invitation = z.object({
  _id: z.string(),
  email: z.string(),
  role: z.enum(roles),
  status: z.enum(invitationStatuses),
  business_id: z.int(),
  expires_at: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Invitation = z.infer<typeof invitation>;

export const roleInput = z.object({ role: z.enum(roles) });

export const invitationInput = z.object({
  email: email.describe("Where the invitation goes. The invited person signs in with this address."),
  role: z.enum(roles),
});
export type InvitationInput = z.output<typeof invitationInput>;

export const memberListQuery = listQuery({ role: optional(z.enum(roles)) });
export type MemberListQuery = z.output<typeof memberListQuery>;

export const invitationListQuery = listQuery({ status: optional(z.enum(invitationStatuses)) });
export type InvitationListQuery = z.output<typeof invitationListQuery>;

const memberExample: Member = {
  _id: "usr_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  name: "Grace Hopper",
  email: "grace@example.com",
  role: "developer",
  two_factor: true,
  last_seen_at: "2026-11-21T09:30:00.123456Z",
  business_id: 1,
  created_at: "2026-11-21T09:30:00.123456Z",
};

const invitationExample: Invitation = {
  _id: "inv_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  email: "grace@example.com",
  role: "developer",
  status: "open",
  business_id: 1,
  expires_at: "2026-11-28T09:30:00.123456Z",
  created_at: "2026-11-21T09:30:00.123456Z",
  updated_at: "2026-11-21T09:30:00.123456Z",
};

const oneMember = "/team/members/{member_id}";
const invitations = "/team/invitations";
const oneInvitation = `${invitations}/{invitation_id}` as const;

/** These roles may connect a gateway account, change the bank account or make live keys. A stolen session must not add such a member. */
const addsPower = ({ role }: Record<string, unknown>): boolean =>
  role === "owner" || role === "admin" || role === "developer";

export const teamEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/team/members",
    summary: "List members",
    scope: "team:read",
    query: memberListQuery,
    response: member,
    list: true,
    example: { data: memberExample },
  }),
  update: endpoint({
    method: "PUT",
    path: oneMember,
    summary: "Change a member's role",
    description:
      "Ends the person's sessions in this business: the new role applies from the next sign-in. Withdraws the invitations that " +
      "the person has sent, whatever the new role. The API keys that the person made may do at most what the new role may. " +
      "Only owners can add or remove owners.",
    scope: "team:write",
    stepUp: addsPower,
    body: roleInput,
    response: member,
    conflicts: "The last owner would lose the role.",
    example: { body: { role: "developer" }, data: memberExample },
  }),
  endSessions: endpoint({
    method: "DELETE",
    path: `${oneMember}/sessions`,
    summary: "End a member's sessions",
    description:
      "In this business, at once. The person's sessions in other businesses cannot switch to this one: they sign in again first.",
    scope: "team:write",
    response: z.object({ _id: z.string().describe("The person."), ended: z.int() }),
    example: { path: `/team/members/${memberExample._id}/sessions`, data: { _id: memberExample._id, ended: 2 } },
  }),
  remove: endpoint({
    method: "DELETE",
    path: oneMember,
    summary: "Remove a member",
    description:
      "Ends the person's sessions in this business at once, withdraws the invitations that they have sent, and revokes the API " +
      "keys that they made, of both modes, except those in `keep_keys`.",
    scope: "team:write",
    query: removalQuery,
    response: member.extend({ deleted: z.literal(true) }),
    conflicts: "It is the last owner.",
    example: { data: { ...memberExample, deleted: true } },
  }),
  keys: endpoint({
    method: "GET",
    path: `${oneMember}/api-keys`,
    summary: "List a member's API keys",
    description: "The keys that the member made and that still work, of both modes: removing the member revokes them.",
    scope: "team:write",
    response: memberKeys,
    example: { data: { _id: memberExample._id, api_keys: [apiKeyExample] } },
  }),
};

export const invitationEndpoints = {
  create: endpoint({
    method: "POST",
    path: invitations,
    summary: "Invite a member",
    description:
      "By e-mail, for 7 days. Only the mail has the link, which proves the mailbox. Without a mail server, the operator prints it. " +
      "Only owners can invite owners. An address gets at most ten invitations in 24 hours, from all businesses together; then the " +
      "response is 429 with Retry-After.",
    scope: "team:write",
    stepUp: addsPower,
    needsVerifiedEmail: true,
    body: invitationInput,
    response: invitation,
    conflicts: "The person is a member already, or has an open invitation.",
    example: { body: { email: "grace@example.com", role: "developer" }, data: invitationExample },
  }),
  list: endpoint({
    method: "GET",
    path: invitations,
    summary: "List invitations",
    scope: "team:read",
    query: invitationListQuery,
    response: invitation,
    list: true,
    example: { data: invitationExample },
  }),
  resend: endpoint({
    method: "POST",
    path: `${oneInvitation}/resend`,
    summary: "Send an invitation again",
    description:
      "With a new link in it, for another 7 days; the one before no longer works. It counts as one of the ten that an " +
      "address gets in 24 hours.",
    scope: "team:write",
    needsVerifiedEmail: true,
    response: invitation,
    conflicts: "It was accepted or withdrawn.",
    example: { data: invitationExample },
  }),
  remove: endpoint({
    method: "DELETE",
    path: oneInvitation,
    summary: "Withdraw an invitation",
    scope: "team:write",
    response: invitation,
    conflicts: "It was accepted.",
    example: { data: { ...invitationExample, status: "withdrawn" } },
  }),
};
