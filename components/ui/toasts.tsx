"use client";

import type { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { type ComponentType, useEffect, useState, useSyncExternalStore } from "react";
import { useTranslations } from "use-intl";
import { useExplainFailure } from "./explain-failure";
import { partOf, whenIdle } from "./part";

type Toast = Parameters<ReturnType<typeof useKumoToastManager>["add"]>[0];
type Show = (toast: Toast) => void;

/** Milliseconds that one stands where no corner has come for it. */
const stay = 8000;
interface Said {
  key: number;
  toast: Toast;
}
const none: Said[] = [];

// Said before there is a corner that shows it.
let waiting = none;
let count = 0;
let show: Show | null = null;
let changed = (): void => undefined;

function wait(toasts: Said[]): void {
  waiting = toasts;
  changed();
}

function subscribe(onChange: () => void): () => void {
  changed = onChange;
  return () => {
    changed = () => undefined;
  };
}

/** From now on this shows what is said. @returns how to end it */
export function shownBy(by: Show): () => void {
  show = by;
  for (const { toast } of waiting) by(toast);
  wait(none);
  return () => {
    if (show === by) show = null;
  };
}

/** In the page's language. */
let broken: Toast = { variant: "error" };

/** Says that something could not be fetched which the page was to open. */
export const tellBroken = (): void => add(broken);

function add(toast: Toast): void {
  if (show) {
    show(toast);
    return;
  }
  const said = { key: ++count, toast };
  wait([...waiting, said]);
  setTimeout(() => wait(waiting.filter((each) => each !== said)), stay);
}

/** Short messages at the corner of the window: of what was done, and of what failed and why. */
export function useToasts() {
  const explainFailure = useExplainFailure();
  return {
    add,
    failed: (title: string, error: Error) => add({ title, description: explainFailure(error), variant: "error" }),
  };
}

const corner = partOf(() => import("./toast-corner").then(({ ToastCorner }) => ToastCorner));

/** The corner of the window where they stand. Its script comes later, and may not come: what is said is said all the same. */
export function Toasts() {
  const t = useTranslations("ui.part");
  useEffect(() => {
    broken = { title: t("title"), description: t("again"), variant: "error" };
  }, [t]);
  const said = useSyncExternalStore(
    subscribe,
    () => waiting,
    () => none,
  );
  const [Corner, setCorner] = useState<ComponentType | null>(null);
  const needed = said.length > 0;
  useEffect(() => {
    const bring = () => corner.get().then((found) => setCorner(() => found));
    if (needed) void bring();
    else whenIdle(bring);
  }, [needed]);
  return (
    <>
      {Corner && <Corner />}
      <div
        aria-live="polite"
        className="pointer-events-none fixed right-4 bottom-4 z-50 grid w-[calc(100%-2rem)] gap-3 sm:right-8 sm:bottom-8 sm:w-85"
      >
        {said.map(({ key, toast }) => (
          <div
            key={key}
            className="rounded-xl bg-kumo-base p-4 text-base text-kumo-default shadow-lg ring ring-kumo-line"
          >
            <p className="font-medium">{toast.title}</p>
            {toast.description && <p className="text-kumo-subtle">{toast.description}</p>}
          </div>
        ))}
      </div>
    </>
  );
}
