"use client";

import { createContext, useContext } from "react";

/**
 * Whether the form is being saved and then disappears. Its text fields are read-only meanwhile, and its buttons do nothing: what is changed
 * would be lost. Not disabled, so that they keep the focus.
 */
export const Saving = createContext(false);

export const useSaving = (): boolean => useContext(Saving);
