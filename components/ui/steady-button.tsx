import { Button } from "@cloudflare/kumo/components/button";
import { type ComponentProps, useEffect, useState } from "react";
import { doubleClick } from "@/lib/client/use-mutation";

/**
 * A button that can be pressed once it has been there for long enough to be pressed on purpose: what opens under the pointer
 * would otherwise take the second half of the double click that opened it.
 */
export function SteadyButton({ onClick, ...props }: ComponentProps<typeof Button>) {
  const [steady, setSteady] = useState(false);
  useEffect(() => {
    const wait = setTimeout(() => setSteady(true), doubleClick);
    return () => clearTimeout(wait);
  }, []);
  return (
    <Button
      {...props}
      aria-disabled={!steady}
      onClick={(event) => {
        if (steady) onClick?.(event);
        else event.preventDefault(); // nor does it send its form
      }}
    />
  );
}
