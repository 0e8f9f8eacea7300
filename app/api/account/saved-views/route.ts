import { handle, methods } from "@/lib/http/handle";
import { createSavedView, listSavedViews } from "@/lib/resources/account/saved-views";
import { savedViewEndpoints as endpoints } from "@/lib/resources/account/saved-views-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ tx, actor, query }) => listSavedViews(tx, actor, query)),
  handle(endpoints.create, ({ tx, actor, body }) => createSavedView(tx, actor, body)),
);
