"use client";

import { BellIcon } from "@phosphor-icons/react/dist/ssr/Bell";
import { useTranslations } from "use-intl";
import { onDemand } from "@/components/ui/on-demand";
import { PopupButton } from "@/components/ui/popup-button";
import type { Mode } from "@/lib/client/call";
import { maxUnread } from "@/lib/resources/notifications/contract";
import { useNotifications } from "@/lib/resources/notifications/queries";

const BellPopup = onDemand(() => import("./bell-popup").then(({ BellPopup }) => BellPopup));

/** The notifications' button, with the number of unread ones. */
export function Bell({ mode }: { mode: Mode }) {
  const t = useTranslations("notifications.bell");
  const { data } = useNotifications();
  const count = data?.unread ?? 0;
  const isMany = count >= maxUnread;
  const trigger = (
    <button
      type="button"
      aria-label={isMany ? t("manyLabel", { count }) : t("label", { count })}
      className="relative grid size-9 pointer-coarse:size-11 shrink-0 place-items-center rounded-lg text-kumo-subtle hover:text-kumo-default"
    >
      <BellIcon size={20} aria-hidden />
      {count > 0 && (
        <span
          aria-hidden
          className="absolute top-0.5 right-0 pointer-coarse:top-1.5 pointer-coarse:right-1 grid h-4 min-w-4 place-items-center rounded-full bg-kumo-brand px-1 text-[11px] leading-none font-semibold text-white tabular-nums"
        >
          {isMany ? t("many", { count: maxUnread - 1 }) : count}
        </span>
      )}
    </button>
  );
  return (
    <>
      <PopupButton opens="dialog" trigger={trigger}>
        {(popup) => <BellPopup {...popup} mode={mode} />}
      </PopupButton>
      <span aria-live="polite" className="sr-only">
        {count > 0 && t("count", { count })}
      </span>
    </>
  );
}
