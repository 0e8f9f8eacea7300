import { CaretLeftIcon } from "@phosphor-icons/react/dist/ssr/CaretLeft";
import Link from "next/link";

/** From one thing back to the list of all. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <Link
      href={href}
      className="mb-3 -ml-1 inline-flex items-center gap-1 rounded text-base text-kumo-subtle hover:text-kumo-default"
    >
      <CaretLeftIcon size={14} aria-hidden />
      {children}
    </Link>
  );
}
