import { useEffect, useRef, useState } from "react";

/**
 * What stands in a filter that is typed, and how to change it.
 * @param value what the address says
 * @param onRest is called once the typing rests
 */
export function useRested(
  value: string,
  onRest: (text: string) => void,
): [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(value);
  const latest = useRef(onRest);
  latest.current = onRest;
  /** What was asked for last, by us or by the address. */
  const known = useRef(value);

  // The address changed by itself (Back, "Clear the filters"): the field follows. Our own search it does not touch.
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
