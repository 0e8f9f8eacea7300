import { ApiError } from "@/lib/core/errors";
import { respond } from "@/lib/http/handle";
import { routeHandler } from "@/lib/http/reply";

/** Unknown paths get a JSON 404 for every method, never a page. */
const absent = routeHandler((request) =>
  respond(request, () => {
    throw new ApiError("not_found");
  }),
);

export {
  absent as DELETE,
  absent as GET,
  absent as HEAD,
  absent as OPTIONS,
  absent as PATCH,
  absent as POST,
  absent as PUT,
};
