import { z } from "zod";
import { auditActionNames } from "@/lib/auth/audit-actions";
import { endpoint } from "@/lib/http/endpoint";
import { optional, text } from "@/lib/http/fields";
import { exportQuery, listQuery } from "@/lib/http/list-query";

const fields = z.record(z.string(), z.unknown());

export const auditEntry = z.object({
  _id: z.string(),
  action: z.enum(auditActionNames),
  actor: z.object({
    type: z.enum(["api_key", "user", "system"]),
    id: z.string().nullable(),
    name: z.string().nullable().describe("A person's e-mail or a key's name, as it was then."),
  }),
  address: z.string().nullable().describe("Where the request came from."),
  request_id: z.string().nullable(),
  resource_id: z.string().nullable().describe("What it was done to."),
  about: z.string().nullable().describe("What people call that: a name, an e-mail, an address."),
  before: fields.nullable().describe("The fields that changed, as they were; null: it was not there."),
  after: fields.nullable().describe("The fields that changed, as they are; null: it is gone. Never a secret."),
  business_id: z.int(),
  livemode: z.boolean().nullable().describe("The mode that it was about; null: both."),
  created_at: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

const example: AuditEntry = {
  _id: "aud_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  action: "settings.changed",
  actor: { type: "user", id: "usr_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8", name: "ada@example.com" },
  address: "203.0.113.7",
  request_id: "0f6c1f0e-58a1-4b5e-9d2e-0b2f6a8c7d11",
  resource_id: "settings",
  about: null,
  before: { dunning_days: [2, 7, 14, 21] },
  after: { dunning_days: [3, 5] },
  business_id: 1,
  livemode: null,
  created_at: "2026-11-21T09:30:00.123456Z",
};

export const auditListQuery = listQuery({
  action: optional(z.enum(auditActionNames)),
  actor: optional(text(254).describe("Who did it: an id, a person's e-mail, or a key's name.")),
  resource_id: optional(text(254).describe("What it was done to.")),
});
export type AuditListQuery = z.output<typeof auditListQuery>;

/** Columns of the exported file. */
export const auditColumns: readonly string[] = [
  "_id",
  "created_at",
  "action",
  "actor.type",
  "actor.id",
  "actor.name",
  "address",
  "request_id",
  "resource_id",
  "about",
  "before",
  "after",
  "livemode",
];

export const auditEndpoints = {
  export: endpoint({
    method: "GET",
    path: "/audit-log/export",
    summary: "Export the audit log as CSV",
    description:
      "Every entry that the filters find, as a file (RFC 4180, UTF-8). The column of a nested field has both names: `actor_name`. `before` and `after` are JSON.",
    scope: "audit_log:read",
    query: exportQuery(auditListQuery),
    response: auditEntry,
    csv: true,
    example: { data: example },
  }),
  list: endpoint({
    method: "GET",
    path: "/audit-log",
    summary: "List the audit log",
    description:
      "Who changed what, when and from where: sign-ins, people, keys, settings, gateway accounts, webhook endpoints, exports. " +
      "Of the mode of the key or page, and of what both modes share. Payments, links and subscriptions have their own history: their events.",
    scope: "audit_log:read",
    query: auditListQuery,
    response: auditEntry,
    list: true,
    example: { data: example },
  }),
};
