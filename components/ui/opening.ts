import { useEffect, useState } from "react";

/**
 * For what opens: it is not there at all until it is opened for the first time, since a page has one for each of its rows.
 * Then it is there closed for a moment, from where it moves into the open.
 * @returns null, or whether it is open
 */
export function useOpening(open: boolean): { open: boolean } | null {
  const [there, setThere] = useState(false);
  useEffect(() => {
    if (open) setThere(true);
  }, [open]);
  return open || there ? { open: open && there } : null;
}
