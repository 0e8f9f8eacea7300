import { detailPage } from "@/app/(dashboard)/dashboard-page";
import { EventPage } from "@/components/events/event-page";
import { titled } from "@/messages/server";

export const generateMetadata = titled("event");

export default detailPage("/developers/events", EventPage);
