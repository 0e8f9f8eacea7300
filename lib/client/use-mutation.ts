"use client";

import type { UseMutationOptions, UseMutationResult } from "@tanstack/react-query";
// biome-ignore lint/style/noRestrictedImports: the other files use the wrapper below
import { hashKey, useMutation as useLibraryMutation } from "@tanstack/react-query";
import { useRef } from "react";

/** A second press within this time is the second half of a double click. */
export const doubleClickMs = 500;

/**
 * The library's `useMutation`, but `mutate` never sends the same variables twice at a time, nor again for the second half of a
 * double click whose first half was answered in between. After a failure it can be called again at once. `mutateAsync` has no
 * such guard: forms and dialogs have their own (`useSheetForm`, `ConfirmDialog`).
 */
export function useMutation<R, V = void, Before = unknown>(
  options: UseMutationOptions<R, Error, V, Before>,
): UseMutationResult<R, Error, V, Before> {
  const mutation = useLibraryMutation(options);
  /** Until when each call is blocked, by its variables. */
  const blockedUntil = useRef(new Map<string, number>());

  const mutate: typeof mutation.mutate = (...args) => {
    const key = hashKey([args[0]]);
    const pressedAt = window.event?.timeStamp ?? performance.now(); // a busy page handles a press late
    if (pressedAt < (blockedUntil.current.get(key) ?? 0)) return;
    blockedUntil.current.set(key, Number.POSITIVE_INFINITY);
    mutation.mutateAsync(...args).then(
      () => blockedUntil.current.set(key, pressedAt + doubleClickMs),
      () => blockedUntil.current.delete(key), // the callbacks report the error
    );
  };
  return { ...mutation, mutate };
}
