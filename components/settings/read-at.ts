import { createContext, type RefObject, useContext } from "react";

/**
 * `updated_at` of the settings that the forms show, for If-Match. All sections share it, and saving one section updates
 * it, so that a save fails only after another user's change.
 */
export const ReadAt = createContext<RefObject<string | null>>({ current: null });

export const useReadAt = () => useContext(ReadAt);
