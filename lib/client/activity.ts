/** After this time without input, the page's polling no longer counts as activity, in milliseconds. */
const idleMs = 60_000;

let lastInputAt = Date.now();

/** Input events. Screen readers only click, and dictation only fills in. Not scroll: a growing list scrolls by itself. */
const inputEvents = ["pointerdown", "pointermove", "click", "keydown", "input", "wheel", "touchmove"];

if (typeof window !== "undefined")
  for (const name of inputEvents)
    window.addEventListener(
      name,
      () => {
        lastInputAt = Date.now();
      },
      { capture: true, passive: true },
    );

export const isAttended = (): boolean => Date.now() - lastInputAt < idleMs;
