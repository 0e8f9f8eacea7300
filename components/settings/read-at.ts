import { createContext, type RefObject, useContext } from "react";

/**
 * When what stands in the page's forms was read (`updated_at`). All its sections begin with the same reading, and a section that
 * is saved is a reading of its own: only another person's change makes a save fail.
 */
export const ReadAt = createContext<RefObject<string | null>>({ current: null });

export const useReadAt = () => useContext(ReadAt);
