"use client";

import type { UseMutationOptions, UseMutationResult } from "@tanstack/react-query";
// biome-ignore lint/style/noRestrictedImports: the other files use the wrapper below
import { hashKey, useMutation as useLibraryMutation } from "@tanstack/react-query";
import { useRef } from "react";

/** A second press within this time counts as part of a double click. */
export const doubleClickMs = 500;

/**
 * The library's `useMutation` with a guarded `mutate`. It ignores a call with the same variables while one is in flight, or
 * within a double click after it succeeded. After a failure it can be called again at once. `mutateAsync` is not guarded:
 * forms and dialogs have their own guard (`useSheetForm`, `ConfirmDialog`).
 */
export function useMutation<R, V = void, Before = unknown>(
  options: UseMutationOptions<R, Error, V, Before>,
): UseMutationResult<R, Error, V, Before> {
  const mutation = useLibraryMutation(options);
  /** The event time until which each call is blocked, by its variables, in milliseconds. */
  const blockedUntil = useRef(new Map<string, number>());

  const mutate: typeof mutation.mutate = (...args) => {
    const key = hashKey([args[0]]);
    const pressedAt = window.event?.timeStamp ?? performance.now(); // a busy page handles the press later than it happened
    if (pressedAt < (blockedUntil.current.get(key) ?? 0)) return;
    blockedUntil.current.set(key, Number.POSITIVE_INFINITY);
    mutation.mutateAsync(...args).then(
      () => blockedUntil.current.set(key, pressedAt + doubleClickMs),
      () => blockedUntil.current.delete(key), // the callbacks report the error
    );
  };
  return { ...mutation, mutate };
}
