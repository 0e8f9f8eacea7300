import { handle, methods } from "@/lib/http/handle";
import { deleteSavedView, updateSavedView } from "@/lib/resources/account/saved-views";
import { savedViewEndpoints as endpoints } from "@/lib/resources/account/saved-views-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.update, ({ tx, actor, body, params }) => updateSavedView(tx, actor, params.id, body)),
  handle(endpoints.remove, ({ tx, actor, params }) => deleteSavedView(tx, actor, params.id)),
);
