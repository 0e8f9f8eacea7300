import { useEffect, useState } from "react";
import { doubleClick } from "@/lib/api/use-mutation";

/**
 * Whether something has been there for long enough to be pressed on purpose: what opens under the pointer would otherwise take
 * the second half of the double click that opened it.
 */
export function useSteady(shown: boolean): boolean {
  const [steady, setSteady] = useState(false);
  useEffect(() => {
    if (!shown) return;
    const wait = setTimeout(() => setSteady(true), doubleClick);
    return () => {
      clearTimeout(wait);
      setSteady(false);
    };
  }, [shown]);
  return steady;
}
