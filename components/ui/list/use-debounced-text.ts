import { type RefObject, useEffect, useRef, useState } from "react";

/**
 * Debounces a text filter.
 * @param value from the address
 * @param onPause runs when the typing pauses
 * @param pauseMs the length of that pause, in milliseconds
 * @returns `field` is for a field of the server's HTML: what was typed before hydration then counts
 */
export function useDebouncedText(
  value: string,
  onPause: (text: string) => void,
  pauseMs = 300,
): [typed: string, type: (text: string) => void, field: RefObject<HTMLInputElement | null>] {
  const [typed, setTyped] = useState(value);
  const latest = useRef(onPause);
  latest.current = onPause;
  const known = useRef(value);

  // React does not see what was typed before hydration, but leaves it on the screen.
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current) setTyped(field.current.value);
  }, []);

  // The address has changed (Back, "Clear filters"), so the field follows.
  useEffect(() => {
    if (value === known.current) return;
    known.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === known.current) return;
    const timer = setTimeout(() => {
      known.current = wanted;
      latest.current(wanted);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [typed, pauseMs]);
  return [typed, setTyped, field];
}
