"use client";

import { ArrowUUpLeftIcon } from "@phosphor-icons/react/dist/ssr/ArrowUUpLeft";
import { BankIcon } from "@phosphor-icons/react/dist/ssr/Bank";
import { BookOpenTextIcon } from "@phosphor-icons/react/dist/ssr/BookOpenText";
import { ClockCounterClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ClockCounterClockwise";
import { CreditCardIcon } from "@phosphor-icons/react/dist/ssr/CreditCard";
import { EnvelopeSimpleIcon } from "@phosphor-icons/react/dist/ssr/EnvelopeSimple";
import { FileCsvIcon } from "@phosphor-icons/react/dist/ssr/FileCsv";
import { GearSixIcon } from "@phosphor-icons/react/dist/ssr/GearSix";
import { HouseIcon } from "@phosphor-icons/react/dist/ssr/House";
import { KeyIcon } from "@phosphor-icons/react/dist/ssr/Key";
import { LinkSimpleIcon } from "@phosphor-icons/react/dist/ssr/LinkSimple";
import { ListBulletsIcon } from "@phosphor-icons/react/dist/ssr/ListBullets";
import { PackageIcon } from "@phosphor-icons/react/dist/ssr/Package";
import { ReceiptIcon } from "@phosphor-icons/react/dist/ssr/Receipt";
import { RepeatIcon } from "@phosphor-icons/react/dist/ssr/Repeat";
import { ScalesIcon } from "@phosphor-icons/react/dist/ssr/Scales";
import { TerminalWindowIcon } from "@phosphor-icons/react/dist/ssr/TerminalWindow";
import { UserListIcon } from "@phosphor-icons/react/dist/ssr/UserList";
import { UsersIcon } from "@phosphor-icons/react/dist/ssr/Users";
import { WebhooksLogoIcon } from "@phosphor-icons/react/dist/ssr/WebhooksLogo";
import { usePathname } from "next/navigation";
import { useTranslations } from "use-intl";
import { useComing } from "@/components/ui/coming";
import { Link } from "@/components/ui/link";
import type { Scope } from "@/lib/auth/scopes";
import type en from "@/messages/en";
import { useMay } from "./may";

export interface Entry {
  href: string;
  title: keyof (typeof en)["titles"];
  icon: typeof HouseIcon;
  scope: Scope;
  /** After `g`, this key opens the page. */
  goKey?: string;
  under?: keyof (typeof en)["shell"]["nav"];
  /** What is between the title and the rows of the page that is loading: lines of filters (1 by default), or figures. */
  frame?: 0 | 1 | 2 | "overview";
}

export const entries: Entry[] = [
  { href: "/", goKey: "o", title: "overview", icon: HouseIcon, scope: "reports:read", frame: "overview" },
  {
    href: "/payment-links",
    goKey: "l",
    title: "paymentLinks",
    icon: LinkSimpleIcon,
    scope: "payment_links:read",
    frame: 2,
  },
  { href: "/payments", goKey: "p", title: "payments", icon: ReceiptIcon, scope: "payments:read", frame: 2 },
  { href: "/refunds", goKey: "f", title: "refunds", icon: ArrowUUpLeftIcon, scope: "refunds:read", frame: 2 },
  { href: "/disputes", goKey: "d", title: "disputes", icon: ScalesIcon, scope: "disputes:read", frame: 2 },
  { href: "/payouts", goKey: "u", title: "payouts", icon: BankIcon, scope: "payouts:read", frame: 2 },
  { href: "/exports", goKey: "x", title: "exports", icon: FileCsvIcon, scope: "reports:read", frame: 0 },
  {
    href: "/subscriptions",
    goKey: "s",
    title: "subscriptions",
    icon: RepeatIcon,
    scope: "subscriptions:read",
    frame: 2,
  },
  { href: "/packages", goKey: "k", title: "packages", icon: PackageIcon, scope: "packages:read" },
  { href: "/tokenizations", goKey: "t", title: "tokenizations", icon: CreditCardIcon, scope: "tokenizations:read" },
  { href: "/customers", goKey: "c", title: "customers", icon: UserListIcon, scope: "customers:read" },
  { href: "/emails", goKey: "e", title: "emails", icon: EnvelopeSimpleIcon, scope: "emails:read" },
  {
    href: "/developers/keys",
    goKey: "a",
    title: "apiKeys",
    icon: KeyIcon,
    scope: "api_keys:read",
    under: "developers",
  },
  {
    href: "/developers/webhooks",
    goKey: "w",
    title: "webhooks",
    icon: WebhooksLogoIcon,
    scope: "webhook_endpoints:read",
    frame: 0,
  },
  { href: "/developers/events", goKey: "v", title: "events", icon: ListBulletsIcon, scope: "events:read" },
  {
    href: "/developers/requests",
    goKey: "r",
    title: "requests",
    icon: TerminalWindowIcon,
    scope: "requests:read",
    frame: 2,
  },
  {
    href: "/developers/reference",
    goKey: "i",
    title: "reference",
    icon: BookOpenTextIcon,
    scope: "events:read",
    frame: 0,
  },
  { href: "/team", goKey: "m", title: "team", icon: UsersIcon, scope: "team:read", under: "business", frame: 0 },
  { href: "/settings", goKey: ",", title: "settings", icon: GearSixIcon, scope: "settings:read", frame: 0 },
  {
    href: "/settings/audit-log",
    goKey: "h",
    title: "auditLog",
    icon: ClockCounterClockwiseIcon,
    scope: "audit_log:read",
  },
];

interface NavLinksProps {
  shown?: Entry[];
  /** Higher lines, for fingers. */
  touch?: boolean;
  /** Runs after a click on the page that is open. */
  onStay?: () => void;
}

export function NavLinks({ shown = entries, touch = false, onStay }: NavLinksProps) {
  const titles = useTranslations("titles");
  const t = useTranslations("shell.nav");
  const may = useMay();
  const [path, opened] = useComingPath();
  return (
    <ul className="grid gap-0.5">
      {shown.filter(may).map(({ href, title, icon: Icon, under }) => {
        const current = href === entryOf(path);
        return (
          <li key={href}>
            {under && <p className="px-2.5 pt-4 pb-1.5 text-sm text-kumo-subtle">{t(under)}</p>}
            <Link
              href={href}
              aria-current={current ? "page" : undefined}
              onClick={() => href === opened && onStay?.()}
              className={`flex items-center gap-2.5 rounded-lg px-2.5 text-base -outline-offset-2 ${touch ? "h-11" : "h-7.5"} ${
                current ? "bg-kumo-tint font-medium text-kumo-strong" : "text-kumo-subtle hover:text-kumo-default"
              }`}
            >
              <Icon size={18} aria-hidden className={current ? "text-(--ink-brand)" : ""} />
              {titles(title)}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** @returns the path of the page that is coming, else of the one that is open; and the latter */
export function useComingPath(): [path: string, opened: string] {
  const opened = usePathname();
  return [useComing()?.split(/[?#]/)[0] ?? opened, opened];
}

export const entryOf = (path: string): string =>
  entries.findLast(({ href }) => path === href || (href !== "/" && path.startsWith(`${href}/`)))?.href ?? "";
