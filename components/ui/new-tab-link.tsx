import { ArrowSquareOutIcon } from "@phosphor-icons/react/dist/ssr/ArrowSquareOut";
import type { ReactNode } from "react";
import { buttonVariants } from "./button";

interface NewTabLinkProps {
  href: string;
  className?: string;
  children: ReactNode;
}

/** The text must contain the tag `newTab` below. */
export const NewTabLink = ({
  href,
  className = buttonVariants({ variant: "secondary" }),
  children,
}: NewTabLinkProps) => (
  <a href={href} target="_blank" rel="noreferrer" className={className}>
    {children}
  </a>
);

/** The tag for "opens in a new tab": an icon, and words for screen readers. */
export const newTab = (words: ReactNode) => (
  <>
    <ArrowSquareOutIcon size={16} className="inline" aria-hidden />
    <span className="sr-only">{words}</span>
  </>
);

export const NewTabIcon = ({ href, label }: { href: string; label: string }) => (
  <a
    href={href}
    target="_blank"
    rel="noreferrer"
    className={buttonVariants({ variant: "ghost", shape: "square" })}
    aria-label={label}
  >
    <ArrowSquareOutIcon size={16} aria-hidden />
  </a>
);
