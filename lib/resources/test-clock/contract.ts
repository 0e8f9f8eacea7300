import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { instant } from "@/lib/http/fields";

export const testClock = z.object({
  _id: z.string(),
  now: z.string().describe("The system's time, plus what the clock was advanced by."),
  status: z.enum(["ready", "advancing"]),
  advancing_to: z.string().nullable(),
  livemode: z.literal(false),
  created_at: z.string().describe("The business's, in the system's time: it belongs to both modes."),
  updated_at: z.string().describe("When the business's settings were last changed, in the system's time."),
});
export type TestClock = z.infer<typeof testClock>;

const example: TestClock = {
  _id: "test_clock",
  now: "2027-01-31T00:00:00.000000Z",
  status: "ready",
  advancing_to: null,
  livemode: false,
  created_at: "2026-11-21T09:30:00.123456Z",
  updated_at: "2026-11-21T09:30:00.123456Z",
};

const advanceInput = z.object({
  to: instant.describe("A later time than the clock's, ISO 8601 with offset; at most two years on."),
});
export type AdvanceInput = z.output<typeof advanceInput>;

export const testClockEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/test-clock",
    summary: "Read the test clock",
    description: "Requires a test key. The clock keeps running from where it was advanced to.",
    scope: "test_clock:read",
    response: testClock,
    example: { data: example },
  }),
  advance: endpoint({
    method: "POST",
    path: "/test-clock",
    summary: "Advance the test clock",
    description:
      "Requires a test key. Everything that falls due until then happens in order, at its time. It takes a moment: " +
      "read the clock until it is ready again.",
    scope: "test_clock:write",
    body: advanceInput,
    response: testClock,
    conflicts: "The clock is being advanced already.",
    example: {
      body: { to: "2027-02-28T00:00:00Z" },
      data: { ...example, status: "advancing", advancing_to: "2027-02-28T00:00:00.000000Z" },
    },
  }),
};
