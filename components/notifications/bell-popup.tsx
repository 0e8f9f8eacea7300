import { Popover } from "@cloudflare/kumo/components/popover";
import { CheckIcon } from "@phosphor-icons/react/dist/ssr/Check";
import { GearSixIcon } from "@phosphor-icons/react/dist/ssr/GearSix";
import { useRef } from "react";
import { useTranslations } from "use-intl";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useExplainFailure } from "@/components/ui/explain-failure";
import { Link } from "@/components/ui/link";
import { PopoverPopup } from "@/components/ui/popover-popup";
import type { PopupProps } from "@/components/ui/popup-button";
import { useToasts } from "@/components/ui/toasts";
import { When } from "@/components/ui/when";
import type { Mode } from "@/lib/client/call";
import type { Notification } from "@/lib/resources/notifications/contract";
import { useMarkRead, useNotifications } from "@/lib/resources/notifications/queries";
import { pageOfNotification } from "@/lib/resources/notifications/types";

export const notificationSettingsPath = "/account#notifications";

export function BellPopup({ mode, ...popup }: PopupProps & { mode: Mode }) {
  const t = useTranslations("notifications.panel");
  const explainFailure = useExplainFailure();
  const query = useNotifications();
  const mark = useMarkRead();
  const toasts = useToasts();
  const list = useRef<HTMLElement>(null);
  const { notifications = [], unread = 0 } = query.data ?? {};

  function markRead(body: Parameters<typeof mark.mutate>[0]): void {
    mark.mutate(body, { onError: (error) => toasts.failed(t("notMarked"), error) });
  }

  /** The pressed button goes away, so the focus moves to the list. */
  function markFromList(body: Parameters<typeof mark.mutate>[0]): void {
    list.current?.focus();
    markRead(body);
  }

  return (
    <PopoverPopup
      {...popup}
      className="flex max-h-[min(36rem,calc(100dvh-6rem))] w-96 max-w-[calc(100vw-1rem)] flex-col !p-0"
    >
      <div className="flex min-h-12 items-center gap-3 border-b border-kumo-hairline pr-2 pl-4">
        <Popover.Title className="flex-1 font-semibold text-kumo-strong">{t("title")}</Popover.Title>
        {unread > 0 && (
          <Button variant="ghost" size="sm" onClick={() => markFromList({ until: notifications[0]?.created_at })}>
            {t("readAll")}
          </Button>
        )}
      </div>
      {/* Gets the focus of the buttons that go away. */}
      <section ref={list} tabIndex={-1} aria-label={t("list")} className="min-h-0 flex-1 overflow-y-auto outline-none">
        {query.isPending ? (
          <p role="status" className="px-4 py-6 text-base text-kumo-subtle">
            {t("loading")}
          </p>
        ) : query.isError ? (
          <div className="p-4">
            <Alert>
              {t("failed")} {explainFailure(query.error)}
            </Alert>
          </div>
        ) : notifications.length === 0 ? (
          <div className="grid gap-1 px-4 py-8 text-center">
            <p className="text-base font-medium text-kumo-strong">{t("empty")}</p>
            <p className="text-base text-kumo-subtle">{t(`emptyText.${mode}`)}</p>
          </div>
        ) : (
          <ul>
            {notifications.map((notification) => (
              <Line
                key={notification._id}
                notification={notification}
                onOpen={() => {
                  if (!notification.read) markRead({ ids: [notification._id] });
                  popup.onClose();
                }}
                onRead={() => markFromList({ ids: [notification._id] })}
              />
            ))}
          </ul>
        )}
      </section>
      <div className="border-t border-kumo-hairline p-2">
        <Link
          href={notificationSettingsPath}
          onClick={popup.onClose}
          className="flex h-9 pointer-coarse:h-11 items-center gap-2 rounded-lg px-2 text-base text-kumo-subtle hover:bg-kumo-tint hover:text-kumo-default"
        >
          <GearSixIcon size={16} aria-hidden />
          {t("settings")}
        </Link>
      </div>
    </PopoverPopup>
  );
}

interface LineProps {
  notification: Notification;
  onOpen: () => void;
  onRead: () => void;
}

function Line({ notification, onOpen, onRead }: LineProps) {
  const t = useTranslations("notifications.panel");
  const { kind, text, detail, resource_id, created_at, read } = notification;
  return (
    <li className="flex items-center gap-1 border-b border-kumo-hairline pr-4 last:border-0 hover:bg-kumo-tint">
      <Link
        href={pageOfNotification(kind, resource_id)}
        onClick={onOpen}
        className="grid min-w-0 flex-1 grid-cols-[0.5rem_minmax(0,1fr)] items-baseline gap-x-2.5 py-2.5 pl-4 -outline-offset-2"
      >
        <span aria-hidden className={`size-2 self-center rounded-full ${read ? "" : "bg-(--ink-brand)"}`} />
        <span className="flex min-w-0 items-baseline gap-3">
          <span
            className={`min-w-0 flex-1 truncate text-base ${read ? "text-kumo-default" : "font-medium text-kumo-strong"}`}
          >
            {!read && <span className="sr-only">{t("unread")} </span>}
            {text}
          </span>
          <span className="shrink-0 text-sm text-kumo-subtle">
            <When at={created_at} />
          </span>
        </span>
        {detail && <span className="col-start-2 truncate text-sm text-kumo-subtle">{detail}</span>}
      </Link>
      {!read && (
        <button
          type="button"
          aria-label={t("readNamed", { text })}
          title={t("read")}
          onClick={onRead}
          className="-mr-2 grid size-9 pointer-coarse:size-11 shrink-0 place-items-center rounded-lg text-kumo-subtle hover:bg-kumo-fill hover:text-kumo-default"
        >
          <CheckIcon size={16} aria-hidden />
        </button>
      )}
    </li>
  );
}
