import { createContext, useContext } from "react";

export interface PeekState {
  /** The id of the row that is shown beside the list. */
  id: string | undefined;
  /** Shows a row, in place of the one that is shown. */
  open: (id: string) => void;
}

/** Of lists whose rows open beside the list. Null where a row leads to its page. */
export const PeekContext = createContext<PeekState | null>(null);

/** Whether a row of this list is shown beside it. */
export const useIsPeekOpen = (): boolean => useContext(PeekContext)?.id !== undefined;

/** The class of a bar of this list, so that it ends before an open side peek. */
export const useBarClass = (): string => (useIsPeekOpen() ? "lg:ends-at-peek" : "");

interface PeekedPage {
  /** Leaves a resource that has been deleted. */
  leave: () => void;
}

/** Set within the side peek; null on a resource's own page. */
export const InPeek = createContext<PeekedPage | null>(null);

/** The id in the address of a resource's page. */
export const idInAddress = (address: string): string => decodeURIComponent(address.split("/").at(-1) ?? "");
