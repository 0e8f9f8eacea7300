import { XIcon } from "@phosphor-icons/react/dist/ssr/X";
import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, Suspense, useContext, useEffect, useEffectEvent, useMemo, useRef } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { focusLater, isLayerOpen } from "@/components/ui/focus-later";
import { ButtonLink } from "@/components/ui/link";
import { LoadBoundary } from "@/components/ui/on-demand";
import { OnPhone, useMedia } from "@/components/ui/use-media";
import { InPeek, PeekContext } from "./peek-context";
import type { Peek } from "./use-peek";

interface SidePeekProps {
  id: string;
  /** The path of the list that the page belongs to; by default the path of the list that is shown. */
  list?: string;
  peek: Peek;
  children: ReactNode;
}

/** Shows a row's whole resource beside its list. Where there is no room for both, it leads to the resource's page. */
export function SidePeek({ id, list, peek, children }: SidePeekProps) {
  const t = useTranslations("shell.list.peek");
  const panel = useRef<HTMLElement>(null);
  const router = useRouter();
  const path = usePathname();
  const address = `${list ?? path}/${encodeURIComponent(id)}`;
  const wide = useMedia("(min-width: 64rem)", !useContext(OnPhone));

  const leaveNarrow = useEffectEvent(() => router.replace(address));
  useEffect(() => {
    if (!wide) leaveNarrow();
  }, [wide]);

  const focusOpened = useEffectEvent(() => peek.opened && panel.current?.focus({ preventScroll: true }));
  useEffect(() => void focusOpened(), []);

  const closeByKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || event.isComposing || isLayerOpen()) return;
    const { target } = event;
    if (target instanceof Element && target.closest("input[type=search], select")) return;
    peek.close();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => closeByKey(event);
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);

  /** The next row takes the place of a deleted one. */
  const leave = useEffectEvent(() => {
    const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")].filter((row) => !row.closest("[data-peek]"));
    const index = rows.findIndex(({ dataset }) => dataset.row === id);
    const next = (rows[index + 1] ?? rows[index - 1])?.dataset.row;
    if (index === -1 || !next) return peek.close();
    peek.open(next);
    focusLater(() => panel.current, "always");
  });
  const page = useMemo(() => ({ leave: () => leave() }), []);

  if (!wide) return null;
  return (
    <section
      ref={panel}
      data-peek
      tabIndex={-1}
      aria-label={t("label")}
      className="fixed inset-y-0 right-0 z-30 flex w-(--side-peek-width) flex-col border-l border-kumo-line bg-kumo-canvas shadow-2xl outline-none slides-in"
    >
      <div className="flex h-14 shrink-0 items-center justify-between gap-3 border-b border-kumo-hairline bg-kumo-base px-5">
        <ButtonLink href={address}>{t("openPage")}</ButtonLink>
        <span className="flex items-center gap-3">
          <span className="text-sm text-kumo-subtle max-xl:hidden">{t("keys")}</span>
          <Button
            variant="ghost"
            shape="square"
            icon={<XIcon size={18} />}
            aria-label={t("close")}
            onClick={peek.close}
          />
        </span>
      </div>
      {/* The key shows each row from its top. */}
      <div key={id} className="@container min-h-0 flex-1 overflow-y-auto px-5 py-5">
        <InPeek value={page}>
          {/* Rows within lead to their own pages. */}
          <PeekContext value={null}>
            <LoadBoundary
              fallback={(retry) => (
                <Button variant="secondary" onClick={retry}>
                  {t("retry")}
                </Button>
              )}
            >
              <Suspense fallback={<p role="status">{t("loading")}</p>}>{children}</Suspense>
            </LoadBoundary>
          </PeekContext>
        </InPeek>
      </div>
    </section>
  );
}
