"use client";

import NextLink from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * A link of the app. What lies behind it is fetched when somebody reaches for it, rather than when it comes into view: a
 * page of rows would otherwise begin with fifty requests that its own data has to wait behind.
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  const [reached, setReached] = useState(false);
  const reach = () => setReached(true);
  return (
    <NextLink
      {...props}
      prefetch={reached ? null : false}
      onMouseEnter={(event) => {
        reach();
        props.onMouseEnter?.(event);
      }}
      onFocus={(event) => {
        reach();
        props.onFocus?.(event);
      }}
      onTouchStart={(event) => {
        reach();
        props.onTouchStart?.(event);
      }}
    />
  );
}
