"use client";

import { DotsThreeIcon } from "@phosphor-icons/react/dist/ssr/DotsThree";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useDialogs } from "@/components/ui/dialogs";
import { Link } from "@/components/ui/link";
import { useMay } from "./may";
import { entries, entryOf, NavLinks, useComingPath } from "./nav-links";

const places = ["/", "/payment-links", "/payments", "/subscriptions", "/customers"];
const inBar = entries.filter(({ href }) => places.includes(href));
const others = entries.filter(({ href }) => !places.includes(href));

/** The navigation on a phone: the places opened most, and a sheet with all others. */
export function BottomBar() {
  const t = useTranslations("shell");
  const titles = useTranslations("titles");
  const may = useMay();
  const { openSheet } = useDialogs();
  const [path] = useComingPath();
  const current = entryOf(path);
  const isElsewhere = others.some(({ href }) => href === current);
  const openMore = () =>
    openSheet({
      title: t("bottomBar.more"),
      isForm: false,
      content: (close) => (
        <nav aria-label={t("bottomBar.more")} className="min-h-0 flex-1 overflow-y-auto p-3">
          <NavLinks touch shown={others} onStay={close} />
        </nav>
      ),
    });
  return (
    <nav
      aria-label={t("frame.main")}
      className="fixed inset-x-0 bottom-0 z-20 border-t border-kumo-hairline bg-kumo-base pr-[env(safe-area-inset-right)] pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)] md:hidden print:hidden"
    >
      {/* As wide as their names: equal columns would cut the longest off. */}
      <ul className="flex">
        {inBar.filter(may).map(({ href, title, icon: Icon }) => (
          <li key={href} className="min-w-11 flex-auto">
            <Link href={href} aria-current={href === current ? "page" : undefined} className={lookOf(href === current)}>
              <Place icon={<Icon size={22} aria-hidden weight={href === current ? "fill" : "regular"} />}>
                {title === "paymentLinks" ? t("bottomBar.links") : titles(title)}
              </Place>
            </Link>
          </li>
        ))}
        <li className="min-w-11 flex-auto">
          <button
            type="button"
            aria-haspopup="dialog"
            aria-current={isElsewhere || undefined}
            onClick={openMore}
            className={lookOf(isElsewhere)}
          >
            <Place icon={<DotsThreeIcon size={22} aria-hidden weight="bold" />}>{t("bottomBar.more")}</Place>
          </button>
        </li>
      </ul>
    </nav>
  );
}

const lookOf = (isCurrent: boolean): string =>
  `flex h-14 w-full flex-col items-center justify-center gap-0.5 text-xs -outline-offset-2 ${
    isCurrent ? "font-medium text-(--ink-brand)" : "text-kumo-subtle"
  }`;

function Place({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <>
      {icon}
      <span className="max-w-full truncate px-0.5">{children}</span>
    </>
  );
}
