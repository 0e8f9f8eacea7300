import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { kindNames } from "@/lib/resources/notifications/types";

const kinds = z.array(z.enum(kindNames)).max(kindNames.length);

export const notificationChoice = z.object({
  _id: z.string().describe("The person."),
  available: kinds.describe("The kinds that the person's role may read."),
  bell: kinds.describe("The kinds that the dashboard's bell shows."),
  mail: kinds.describe("The kinds that the person gets mails about."),
  digest: z.boolean().describe("A mail each morning at 7:00 in the business's time zone, unless nothing happened."),
});
export type NotificationChoice = z.infer<typeof notificationChoice>;

export const choiceInput = z.object({ bell: kinds, mail: kinds, digest: z.boolean() });
export type ChoiceInput = z.output<typeof choiceInput>;

const body: ChoiceInput = { bell: ["dispute_opened"], mail: ["dispute_opened", "payment_failed"], digest: true };
const example: NotificationChoice = {
  _id: "usr_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  available: kindNames,
  ...body,
};

export const notificationChoiceEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/account/notifications",
    summary: "Get your notification settings",
    description: "They hold for one person in one mode of one business.",
    scope: "account:read",
    response: notificationChoice,
    example: { data: example },
  }),
  update: endpoint({
    method: "PUT",
    path: "/account/notifications",
    summary: "Change your notification settings",
    description: "Replaces all of them, in this mode of the business.",
    scope: "account:write",
    body: choiceInput,
    response: notificationChoice,
    example: { body, data: example },
  }),
};
