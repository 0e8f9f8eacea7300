import { ArrowSquareOutIcon } from "@phosphor-icons/react/dist/ssr/ArrowSquareOut";
import type { ReactNode } from "react";
import { buttonVariants } from "./button";

interface NewTabLinkProps {
  href: string;
  className?: string;
  children: ReactNode;
}

/** Its text says that it opens a new tab: with the tag `newTab` below. */
export const NewTabLink = ({
  href,
  className = buttonVariants({ variant: "secondary" }),
  children,
}: NewTabLinkProps) => (
  <a href={href} target="_blank" rel="noreferrer" className={className}>
    {children}
  </a>
);

/** The tag of a text for "opens in a new tab": an icon, and the words for screen readers. */
export const newTab = (words: ReactNode) => (
  <>
    <ArrowSquareOutIcon size={16} className="inline" aria-hidden />
    <span className="sr-only">{words}</span>
  </>
);

/** The same as an icon. */
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
