"use client";

// biome-ignore lint/style/noRestrictedImports: this is the one that the others use
import { hashKey, type UseMutationOptions, type UseMutationResult, useMutation as useAny } from "@tanstack/react-query";
import { useRef } from "react";

/** Milliseconds after a press in which another one is the second half of a double click, however fast the first was done. */
export const doubleClick = 500;

/**
 * A write, as the library has it, but `mutate` does not ask twice for one thing: what is asked for again while it is under
 * way, or as the second half of a double click, is dropped. What fails may be asked for again at once. `mutateAsync` is
 * for forms, which see to that themselves: what comes after it is theirs as well (useSheetForm).
 */
export function useMutation<R, V = void, Before = unknown>(
  options: UseMutationOptions<R, Error, V, Before>,
): UseMutationResult<R, Error, V, Before> {
  const mutation = useAny(options);
  /** What was asked for, and when it was pressed for last. */
  const held = useRef(new Map<string, { pressed: number; underWay: boolean }>());

  const mutate: typeof mutation.mutate = (...asked) => {
    const key = hashKey([sameThing(asked[0])]);
    // When it was pressed, which is earlier where the page is busy.
    const now = window.event?.timeStamp ?? performance.now();
    for (const [other, { pressed, underWay }] of held.current)
      if (!underWay && now - pressed >= doubleClick) held.current.delete(other);
    const same = held.current.get(key);
    if (same) {
      same.pressed = now;
      return;
    }
    const press = { pressed: now, underWay: true };
    held.current.set(key, press);
    mutation.mutateAsync(...asked).then(
      () => {
        press.underWay = false;
      },
      () => held.current.delete(key), // whoever asked is told by the callbacks
    );
  };
  return { ...mutation, mutate };
}

/** Without the key that each try may have anew. */
function sameThing(variables: unknown): unknown {
  if (typeof variables !== "object" || variables === null || !("idempotencyKey" in variables)) return variables;
  const { idempotencyKey: _, ...rest } = variables;
  return rest;
}
