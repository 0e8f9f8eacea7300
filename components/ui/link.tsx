"use client";

import NextLink from "next/link";
import { type ComponentProps, useState } from "react";
import { type ButtonProps, buttonVariants } from "./button";
import { Coming } from "./coming";

interface LinkProps extends ComponentProps<typeof NextLink> {
  /** For a link that on a wide screen opens no page. */
  prefetchOn?: "touch";
}

/**
 * Prefetches its page on hover or focus, not when it becomes visible: a list would otherwise start with fifty requests
 * that delay its own data.
 */
export function Link({ prefetchOn, ...props }: LinkProps) {
  const [reached, setReached] = useState(false);
  const touch = () => setReached(true);
  const reach = () => prefetchOn !== "touch" && touch();
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
        touch();
        props.onTouchStart?.(event);
      }}
    >
      {props.children}
      <Coming address={String(props.href)} />
    </NextLink>
  );
}

export const ButtonLink = ({
  variant,
  className = "",
  ...props
}: ComponentProps<typeof NextLink> & Pick<ButtonProps, "variant">) => (
  <Link {...props} className={`${buttonVariants({ variant })} ${className}`} />
);
