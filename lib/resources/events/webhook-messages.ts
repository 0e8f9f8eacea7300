import { z } from "zod";
import type { Message } from "@/lib/http/openapi";
import { event } from "./contract";
import { exampleOf } from "./examples";
import { eventTypeNames, eventTypes } from "./types";

export const webhookMessages: Message[] = eventTypeNames.map((type) => {
  const { summary, data } = eventTypes[type];
  const example = exampleOf(type);
  const body = event.extend({
    type: z.literal(type),
    data,
    timestamp: z.string().describe("The same as created_at, by its name in Standard Webhooks."),
    sample: z.literal(true).optional().describe("Only in a sample, whose event has not happened."),
  });
  return { name: type, summary, body, example: { ...example, timestamp: example.created_at } };
});
