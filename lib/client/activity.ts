/** After so many milliseconds without a hand on the page, what it asks for by itself is no sign of a person. */
const alone = 60_000;

/** When somebody touched the page last; whoever has opened it is there. */
let touched = Date.now();

/**
 * What a hand does, or what stands in for one: a screen reader presses by clicks alone, and dictation only fills in. Not
 * scrolling, which a list that grows by itself does too.
 */
const byHand = ["pointerdown", "pointermove", "click", "keydown", "input", "wheel", "touchmove"];

if (typeof window !== "undefined")
  for (const name of byHand)
    window.addEventListener(
      name,
      () => {
        touched = Date.now();
      },
      { capture: true, passive: true },
    );

/** Whether somebody has touched this page within the last minute. */
export const attended = (): boolean => Date.now() - touched < alone;
