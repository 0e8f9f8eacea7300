import { useEffect, useState } from "react";

/** The value once it has not changed for as long as a pause in typing. */
export function useAfterPause<Value>(value: Value): Value {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), 300);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
