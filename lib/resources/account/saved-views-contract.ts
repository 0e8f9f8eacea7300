import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { optional, text } from "@/lib/http/fields";
import { listQuery } from "@/lib/http/list-query";

/** The dashboard's lists that have filters, named like their resource. */
export const viewLists = [
  "payment_links",
  "payments",
  "refunds",
  "disputes",
  "payouts",
  "subscriptions",
  "packages",
  "tokenizations",
  "customers",
  "emails",
  "api_keys",
  "events",
  "requests",
  "audit_log",
] as const;
export type ViewList = (typeof viewLists)[number];

export const savedView = z.object({
  _id: z.string(),
  list: z.enum(viewLists),
  name: z.string(),
  query: z.string().describe("The search part of the list's address: filters, order and columns."),
  is_default: z.boolean().describe("Whether the list opens with this view."),
  created_at: z.string(),
  updated_at: z.string(),
});
export type SavedView = z.infer<typeof savedView>;

const fields = {
  name: text(60),
  query: text(2_000).describe(
    "The search part of the list's address, such as status=failed&amount_from=500. A position in the list is left out.",
  ),
  is_default: optional(z.boolean().describe("true: the list opens with this view. The earlier default ends.")),
};

export const savedViewInput = z.object({ list: z.enum(viewLists), ...fields });
export type SavedViewInput = z.output<typeof savedViewInput>;

export const savedViewUpdate = z.object(fields);
export type SavedViewUpdate = z.output<typeof savedViewUpdate>;

export const savedViewListQuery = listQuery({ list: optional(z.enum(viewLists)) });
export type SavedViewListQuery = z.output<typeof savedViewListQuery>;

const example: SavedView = {
  _id: "svw_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  list: "payment_links",
  name: "Unpaid over €500",
  query: "amount_from=500&status=Active",
  is_default: false,
  created_at: "2026-11-26T09:30:00.123456Z",
  updated_at: "2026-11-26T09:30:00.123456Z",
};

const { _id, created_at, updated_at, ...body } = example;
const { list, ...update } = body;

export const savedViewEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/account/saved-views",
    summary: "List your saved views",
    description: "Those of the session's business. They hold in both modes.",
    scope: "account:read",
    query: savedViewListQuery,
    response: savedView,
    list: true,
    example: { data: example },
  }),
  create: endpoint({
    method: "POST",
    path: "/account/saved-views",
    summary: "Save a view of a list",
    description: "Only the person sees it. Its name is unique within the list.",
    scope: "account:write",
    body: savedViewInput,
    response: savedView,
    conflicts: "The list has 30 views, or one with this name.",
    example: { body, data: example },
  }),
  update: endpoint({
    method: "PUT",
    path: "/account/saved-views/{saved_view_id}",
    summary: "Change a saved view",
    scope: "account:write",
    body: savedViewUpdate,
    response: savedView,
    conflicts: "The list has another view with this name.",
    example: { body: update, data: example },
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/account/saved-views/{saved_view_id}",
    summary: "Delete a saved view",
    scope: "account:write",
    response: savedView.extend({ deleted: z.literal(true) }),
    example: { data: { ...example, deleted: true } },
  }),
};
