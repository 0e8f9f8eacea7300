"use client";

import { CreditCardIcon } from "@phosphor-icons/react/dist/ssr/CreditCard";
import { HouseIcon } from "@phosphor-icons/react/dist/ssr/House";
import { LinkSimpleIcon } from "@phosphor-icons/react/dist/ssr/LinkSimple";
import { ListBulletsIcon } from "@phosphor-icons/react/dist/ssr/ListBullets";
import { PackageIcon } from "@phosphor-icons/react/dist/ssr/Package";
import { ReceiptIcon } from "@phosphor-icons/react/dist/ssr/Receipt";
import { RepeatIcon } from "@phosphor-icons/react/dist/ssr/Repeat";
import { TrayIcon } from "@phosphor-icons/react/dist/ssr/Tray";
import { UsersIcon } from "@phosphor-icons/react/dist/ssr/Users";
import { WebhooksLogoIcon } from "@phosphor-icons/react/dist/ssr/WebhooksLogo";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";

/** Only what works. */
const entries = [
  { href: "/", label: "Overview", icon: HouseIcon },
  { href: "/payment-links", label: "Payment links", icon: LinkSimpleIcon },
  { href: "/payments", label: "Payments", icon: ReceiptIcon },
  { href: "/customers", label: "Customers", icon: UsersIcon },
  { href: "/subscriptions", label: "Subscriptions", icon: RepeatIcon },
  { href: "/packages", label: "Packages", icon: PackageIcon },
  { href: "/tokenizations", label: "Tokenizations", icon: CreditCardIcon },
  { href: "/outbox", label: "Outbox", icon: TrayIcon },
  { href: "/developers/webhooks", label: "Webhooks", icon: WebhooksLogoIcon, under: "Developers" },
  { href: "/developers/events", label: "Events", icon: ListBulletsIcon },
];

export function NavLinks({ direction }: { direction: "row" | "column" }) {
  const path = usePathname();
  const list = useRef<HTMLUListElement>(null);
  const column = direction === "column";

  // A phone's strip is longer than the phone is wide: where one is comes into view.
  useEffect(() => {
    const strip = list.current;
    const current = strip?.querySelector<HTMLElement>(`[href="${entryOf(path)}"]`);
    if (!strip || !current || strip.scrollWidth <= strip.clientWidth) return;
    strip.scrollLeft = current.offsetLeft - (strip.clientWidth - current.offsetWidth) / 2;
  }, [path]);

  return (
    <ul ref={list} className={column ? "grid gap-0.5" : "relative flex gap-1 overflow-x-auto"}>
      {entries.map(({ href, label, icon: Icon, under }) => {
        const current = href === entryOf(path);
        const shape = column
          ? "h-9 gap-2.5 rounded-lg px-2.5"
          : "h-11 gap-2 border-b-2 px-2 whitespace-nowrap aria-[current=page]:border-kumo-brand border-transparent";
        const tone = current
          ? `font-medium text-kumo-strong ${column ? "bg-kumo-tint" : ""}`
          : "text-kumo-subtle hover:text-kumo-default";
        return (
          <li key={href}>
            {under && column && <p className="px-2.5 pt-4 pb-1.5 text-sm text-kumo-subtle">{under}</p>}
            <Link
              href={href}
              aria-current={current ? "page" : undefined}
              className={`flex items-center text-base -outline-offset-2 ${shape} ${tone}`}
            >
              <Icon
                size={18}
                aria-hidden
                className={`${current ? "text-(--ink-brand)" : ""} ${column ? "" : "max-sm:hidden"}`}
              />
              {label}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

const entryOf = (path: string): string =>
  entries.find(({ href }) => path === href || (href !== "/" && path.startsWith(`${href}/`)))?.href ?? "";
