import { useEffect, useEffectEvent } from "react";

declare global {
  interface Window {
    /** Chromium's. TypeScript does not know it yet. */
    CloseWatcher?: new () => EventTarget & { destroy(): void; requestClose(): void };
  }
}

/** Back on an Android phone closes the topmost dialog instead of leaving the page. Not every browser has this. */
export function useBackCloses(open: boolean, close: () => void): void {
  const back = useEffectEvent(close);
  useEffect(() => {
    const { CloseWatcher } = window;
    if (!open || !CloseWatcher) return;
    /** The dialog hears Escape itself. The browser tells the watcher of it, too, in the same task. */
    let escaped = false;
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      escaped = true;
      setTimeout(() => {
        escaped = false;
      });
    };
    const watch = () => {
      const created = new CloseWatcher();
      created.addEventListener("close", () => {
        watcher = watch(); // one closes once, and the dialog may stay: it asks about unsaved changes
        if (!escaped) back();
      });
      return created;
    };
    let watcher = watch();
    window.addEventListener("keydown", onKeyDown, true);
    return () => {
      watcher.destroy();
      window.removeEventListener("keydown", onKeyDown, true);
    };
  }, [open]);
}
