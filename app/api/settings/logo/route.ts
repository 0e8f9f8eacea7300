import { handle, methods } from "@/lib/http/handle";
import { settingsEndpoints as endpoints } from "@/lib/resources/settings/contract";
import { removeLogo, setLogo } from "@/lib/resources/settings/logo";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.putLogo, ({ actor, body, tx, ifMatch }) => setLogo(tx, actor, body.image, ifMatch)),
  handle(endpoints.removeLogo, ({ actor, tx, ifMatch }) => removeLogo(tx, actor, ifMatch)),
);
