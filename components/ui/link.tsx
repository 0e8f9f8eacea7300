"use client";

import NextLink from "next/link";
import { type ComponentProps, useState } from "react";
import { type ButtonProps, buttonVariants } from "./button";
import { Coming } from "./coming";

/**
 * Prefetches its page on hover or focus, not when it becomes visible: a list would otherwise start with fifty requests
 * that delay its own data.
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
    >
      {props.children}
      <Coming address={String(props.href)} />
    </NextLink>
  );
}

export const ButtonLink = ({ variant, ...props }: ComponentProps<typeof NextLink> & Pick<ButtonProps, "variant">) => (
  <Link {...props} className={buttonVariants({ variant })} />
);
