import { handle, methods } from "@/lib/http/handle";
import { settingsEndpoints as endpoints } from "@/lib/resources/settings/contract";
import { getSettings, updateSettings } from "@/lib/resources/settings/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, tx }) => getSettings(tx, actor)),
  handle(endpoints.update, ({ actor, body, tx, ifMatch }) => updateSettings(tx, actor, body, ifMatch)),
);
