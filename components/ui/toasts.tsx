import { WarningCircleIcon } from "@phosphor-icons/react/dist/ssr/WarningCircle";
import { XIcon } from "@phosphor-icons/react/dist/ssr/X";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useTranslations } from "use-intl";
import { useExplainFailure } from "./explain-failure";

interface Toast {
  title: string;
  description?: string;
  variant?: "error";
}

const lifetimeMs = 8000;
const maxShown = 4;
const none: (Toast & { id: number })[] = [];
let shown = none;
let lastId = 0;
const listeners = new Set<() => void>();

function show(toasts: typeof shown): void {
  shown = toasts.slice(-maxShown);
  for (const listener of listeners) listener();
}

const add = (toast: Toast): void => show([...shown, { ...toast, id: ++lastId }]);
const remove = (id: number): void => show(shown.filter((toast) => toast.id !== id));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useToasts() {
  const explainFailure = useExplainFailure();
  const t = useTranslations("ui.loadFailure");
  const failed = (title: string, error: Error) => add({ title, description: explainFailure(error), variant: "error" });
  return {
    add,
    failed,
    report: async (work: Promise<unknown>, texts: { done: string; failed: string }): Promise<boolean> => {
      try {
        await work;
        add({ title: texts.done });
        return true;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        failed(texts.failed, error);
        return false;
      }
    },
    loadFailed: () => add({ title: t("title"), description: t("text"), variant: "error" }),
  };
}

/** Toasts stay while one of them is hovered or focused. */
export function ToastRegion() {
  const t = useTranslations("ui");
  const toasts = useSyncExternalStore(
    subscribe,
    () => shown,
    () => none,
  );
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const paused = toasts.length > 0 && (hovered || focused);
  return (
    <section
      aria-label={t("notifications")}
      onMouseEnter={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      className="pointer-events-none fixed right-4 bottom-(--toasts-bottom) z-60 w-[calc(100%-2rem)] sm:right-8 sm:w-85"
    >
      <ol aria-live="polite" className="grid gap-3">
        {toasts.map((toast) => (
          <ToastItem
            key={toast.id}
            toast={toast}
            paused={paused}
            onClose={() => {
              setFocused(false); // the focused button disappears
              remove(toast.id);
            }}
          />
        ))}
      </ol>
    </section>
  );
}

function ToastItem({
  toast,
  paused,
  onClose,
}: {
  toast: Toast & { id: number };
  paused: boolean;
  onClose: () => void;
}) {
  const t = useTranslations("ui");
  const { id, title, description, variant } = toast;
  useEffect(() => {
    if (paused) return;
    const timer = setTimeout(() => remove(id), lifetimeMs);
    return () => clearTimeout(timer);
  }, [paused, id]);
  return (
    <li className="pointer-events-auto flex items-start gap-2.5 rounded-xl bg-kumo-base p-4 text-base text-kumo-default shadow-lg ring ring-kumo-line slides-up">
      {variant === "error" && <WarningCircleIcon size={20} aria-hidden className="shrink-0 text-kumo-danger" />}
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className={`font-medium ${variant === "error" ? "text-kumo-danger" : ""}`}>{title}</p>
        {description && <p className="text-kumo-subtle">{description}</p>}
      </div>
      <button
        type="button"
        aria-label={t("close")}
        onClick={onClose}
        className="-m-1 grid size-7 shrink-0 place-items-center rounded-md text-kumo-subtle hover:bg-kumo-tint touch-target"
      >
        <XIcon size={14} aria-hidden />
      </button>
    </li>
  );
}
