import { useEffect, useRef, useState } from "react";

/**
 * The text of a filter while it is typed, and how to change it.
 * @param value by the address
 * @param onRest is called when the typing pauses
 */
export function useRested(
  value: string,
  onRest: (text: string) => void,
): [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(value);
  const latest = useRef(onRest);
  latest.current = onRest;
  /** The last applied value. */
  const known = useRef(value);

  // The address changed by itself (Back, "Clear the filters"): the field follows.
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
    }, 300);
    return () => clearTimeout(timer);
  }, [typed]);
  return [typed, setTyped];
}
