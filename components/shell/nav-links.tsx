"use client";

import { LinkSimpleIcon } from "@phosphor-icons/react/dist/ssr/LinkSimple";
import Link from "next/link";
import { usePathname } from "next/navigation";

/** Only what works. */
const entries = [{ href: "/payment-links", label: "Payment links", icon: LinkSimpleIcon }];

export function NavLinks({ direction }: { direction: "row" | "column" }) {
  const path = usePathname();
  const column = direction === "column";
  return (
    <ul className={column ? "grid gap-0.5" : "flex gap-1 overflow-x-auto"}>
      {entries.map(({ href, label, icon: Icon }) => {
        const current = path === href || path.startsWith(`${href}/`);
        const shape = column
          ? "h-9 gap-2.5 rounded-lg px-2.5"
          : "h-11 gap-2 border-b-2 px-2 aria-[current=page]:border-kumo-brand border-transparent";
        const tone = current
          ? `font-medium text-kumo-strong ${column ? "bg-kumo-tint" : ""}`
          : "text-kumo-subtle hover:text-kumo-default";
        return (
          <li key={href}>
            <Link
              href={href}
              aria-current={current ? "page" : undefined}
              className={`flex items-center text-base -outline-offset-2 ${shape} ${tone}`}
            >
              <Icon size={18} aria-hidden className={current ? "text-(--ink-brand)" : ""} />
              {label}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
