import { usePathname, useSearchParams } from "next/navigation";
import { useContext, useState } from "react";
import { leaveWith } from "@/components/ui/unsaved";
import { InPeek } from "./peek-context";
import { peekParameter } from "./use-peek";

type How = "push" | "replace";

type Shown = Record<string, string | undefined>;

interface Address<Filter extends Shown> {
  filter: Filter;
  /** Replaces the whole filter. */
  show: (filter: Filter, how: How) => void;
  /** Keeps what else is in the address, also what the page does not show yet. */
  change: (part: Partial<Filter>, how: How) => void;
}

export interface ListAddress<Filter extends Shown = Shown> extends Address<Filter> {
  /** The day in the business's time zone, YYYY-MM-DD. */
  today: string;
}

/**
 * Keeps the list's state in the address, so that Back, reload and shared links work. A list within the side peek keeps its own: the
 * address belongs to the list beside it.
 * @param unfiltered the address's parameters when no filter is set
 */
export function useAddress<Filter extends Shown>(
  read: (params: URLSearchParams) => Filter,
  unfiltered: Record<string, string> = {},
): Address<Filter> {
  const path = usePathname();
  const inAddress = new URLSearchParams(useSearchParams());
  const inPeek = useContext(InPeek) !== null;
  const [kept, keep] = useState("");
  const filter = read(inPeek ? new URLSearchParams(kept) : inAddress);

  function update(next: (now: Filter) => Filter, how: How): void {
    const paramsAfter = (now: URLSearchParams) => {
      const set = Object.entries(next(read(now))).filter((entry): entry is [string, string] => !!entry[1]);
      return new URLSearchParams(set.length > 0 ? set : unfiltered);
    };
    if (inPeek) {
      keep((now) => paramsAfter(new URLSearchParams(now)).toString());
      return;
    }
    // `useSearchParams` follows the address later.
    const now = new URLSearchParams(window.location.search);
    const params = paramsAfter(now);
    const address = params.size > 0 ? `${path}?${params}` : path;
    const go = () => {
      if (how === "push") {
        window.history.pushState(null, "", address);
        window.scrollTo({ top: 0 });
      } else window.history.replaceState(null, "", address);
    };
    if (now.has(peekParameter))
      leaveWith(go); // the side peek closes
    else go();
  }

  return {
    filter,
    show: (next, how) => update(() => next, how),
    change: (part, how) => update((now) => ({ ...now, ...part }), how),
  };
}
