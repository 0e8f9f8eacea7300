import { useTimeZone } from "use-intl";
import { useNow } from "@/lib/resources/test-clock/queries";
import { dayIn } from "./local-time";

/** The day in the business's time zone, YYYY-MM-DD. */
export const useToday = (): string => dayIn(useNow(), useTimeZone() ?? "UTC");
