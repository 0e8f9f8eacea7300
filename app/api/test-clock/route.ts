import { handle, methods } from "@/lib/api/handle";
import { testClockEndpoints as endpoints } from "@/lib/test-clock/contract";
import { advanceTestClock, getTestClock } from "@/lib/test-clock/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, tx }) => getTestClock(tx, actor)),
  handle(endpoints.advance, ({ actor, body, tx }) => advanceTestClock(tx, actor, body)),
);
