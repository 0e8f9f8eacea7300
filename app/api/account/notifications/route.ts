import { handle, methods } from "@/lib/http/handle";
import { getChoice, updateChoice } from "@/lib/resources/account/notifications";
import { notificationChoiceEndpoints as endpoints } from "@/lib/resources/account/notifications-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ tx, actor }) => getChoice(tx, actor)),
  handle(endpoints.update, ({ tx, actor, body }) => updateChoice(tx, actor, body)),
);
