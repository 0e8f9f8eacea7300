import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { instant, optional } from "@/lib/http/fields";
import { kindNames } from "./types";

/** The most that count as unread. Older ones count as read. */
export const maxUnread = 100;
/** How many of the newest are shown. */
export const shownCount = 20;
/** Older notifications are not shown. */
export const notificationDays = 30;

export const notification = z.object({
  _id: z.string().describe("The id of the event, or of the failing webhook endpoint."),
  kind: z.enum(kindNames),
  text: z.string(),
  detail: z.string().nullable(),
  resource_id: z.string(),
  read: z.boolean(),
  created_at: z.string(),
});
export type Notification = z.infer<typeof notification>;

export const notifications = z.object({
  _id: z.string().describe("The person."),
  unread: z.int().describe(`At most ${maxUnread}: then there may be more.`),
  notifications: z
    .array(notification)
    .describe(`Newest first, at most ${shownCount}, of the last ${notificationDays} days.`),
});
export type Notifications = z.infer<typeof notifications>;

export const readInput = z.object({
  ids: optional(z.array(z.string().max(64)).min(1).max(maxUnread)).describe("Marks these notifications."),
  until: optional(
    z.string().refine((value) => instant.safeParse(value).success, "The until is not a valid date."),
  ).describe("Marks all notifications up to this `created_at`."),
});
export type ReadInput = z.output<typeof readInput>;

export const notificationExample: Notification = {
  _id: "evt_01k8m4d2e3f4g5h6j7k8m9n0p1q2r3s4t5v6",
  kind: "dispute_opened",
  text: "Disputed: €10.50",
  detail: "ada@example.com",
  resource_id: "dsp_01k8m4d2e3f4g5h6j7k8m9n0p1q2r3s4t5v7",
  read: false,
  created_at: "2026-11-21T09:31:01.000000Z",
};
const example: Notifications = {
  _id: "usr_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  unread: 1,
  notifications: [notificationExample],
};

export const notificationEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/notifications",
    summary: "Get your notifications",
    description:
      "Events of this mode of the business, of the kinds that the person has chosen for the bell and that their role may read.",
    scope: "account:read",
    polled: true,
    response: notifications,
    example: { data: example },
  }),
  read: endpoint({
    method: "POST",
    path: "/notifications/read",
    summary: "Mark notifications as read",
    description: "Either those in `ids`, or all up to the time `until`.",
    scope: "account:write",
    body: readInput,
    response: notifications,
    example: {
      body: { until: notificationExample.created_at },
      data: { ...example, unread: 0, notifications: [{ ...notificationExample, read: true }] },
    },
  }),
};
