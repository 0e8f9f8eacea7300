import { searchIndex } from "@/components/reference/search-index";
import { jsonReply, routeHandler } from "@/lib/http/reply";
import { sections } from "@/lib/resources/endpoints";

let index: ReturnType<typeof searchIndex> | undefined;

/** What the reference's search finds. The script loads it when the field gets the focus. */
export const GET = routeHandler(() => {
  index ??= searchIndex(sections);
  return jsonReply(200, index);
});
