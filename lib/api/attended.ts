/** After so many milliseconds without a hand on the page, what it asks for by itself is no sign of a person. */
const alone = 60_000;

/** When somebody touched the page last; whoever has opened it is there. */
let touched = Date.now();

if (typeof window !== "undefined")
  for (const name of ["pointerdown", "pointermove", "keydown", "wheel", "scroll", "touchmove"])
    window.addEventListener(
      name,
      () => {
        touched = Date.now();
      },
      { capture: true, passive: true },
    );

/** Whether somebody has touched this page within the last minute. */
export const attended = (): boolean => Date.now() - touched < alone;
