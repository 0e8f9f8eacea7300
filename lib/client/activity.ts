/** After this time without input, the page's polling no longer counts as activity, in milliseconds. */
const idleMs = 60_000;

/** When the page last had input. Opening the page counts. */
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

/** Whether this page has had input within the last minute. */
export const isAttended = (): boolean => Date.now() - lastInputAt < idleMs;
