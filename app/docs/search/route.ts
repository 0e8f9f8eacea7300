import { searchIndex } from "@/components/reference/search-index";
import { testCards } from "@/lib/gateways/sandbox/cards";
import { jsonReply, routeHandler } from "@/lib/http/reply";
import { sections } from "@/lib/resources/endpoints";

let index: ReturnType<typeof searchIndex> | undefined;

/** What the reference's search finds. The script loads it when the field gets the focus. */
export const GET = routeHandler(() => {
  index ??= searchIndex(sections, testCards);
  return jsonReply(200, index);
});
