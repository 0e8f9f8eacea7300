import { handle, methods } from "@/lib/http/handle";
import { notificationEndpoints as endpoints } from "@/lib/resources/notifications/contract";
import { getNotifications } from "@/lib/resources/notifications/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ tx, actor }) => getNotifications(tx, actor)),
);
