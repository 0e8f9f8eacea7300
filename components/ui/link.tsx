"use client";

import NextLink from "next/link";
import { type ComponentProps, useState } from "react";
import { type ButtonProps, buttonVariants } from "./button";

/**
 * A link of the app. Its page is fetched on hover or focus rather than when the link comes into view: a page of rows would
 * otherwise begin with fifty requests that its own data has to wait behind.
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

/** A link that looks like a button. */
export const ButtonLink = ({ variant, ...props }: ComponentProps<typeof NextLink> & Pick<ButtonProps, "variant">) => (
  <Link {...props} className={buttonVariants({ variant })} />
);
