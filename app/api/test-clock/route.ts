import { handle, methods } from "@/lib/http/handle";
import { testClockEndpoints as endpoints } from "@/lib/resources/test-clock/contract";
import { advanceTestClock, getTestClock } from "@/lib/resources/test-clock/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, tx }) => getTestClock(tx, actor)),
  handle(endpoints.advance, ({ actor, body, tx }) => advanceTestClock(tx, actor, body)),
);
