import { handle, methods } from "@/lib/http/handle";
import { balanceEntryEndpoints as endpoints } from "@/lib/resources/payouts/entries-contract";
import { balanceEntries } from "@/lib/resources/payouts/entries-resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.entries, ({ actor, query, tx }) => balanceEntries.list(tx, actor, query)),
);
