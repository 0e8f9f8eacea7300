import { useEffect, useEffectEvent } from "react";
import { useToasts } from "@/components/ui/toasts";
import { isUnsaved, mayLeave } from "@/components/ui/unsaved";

/**
 * Asks before a link, or the browser's Back and Forward, leaves a page with unsaved changes. Back and Forward need the
 * Navigation API. Browsers let a second Back leave without a question, unless the user has clicked in between.
 */
export function LeaveGuard() {
  const { loadFailed } = useToasts();
  const onOffline = useEffectEvent(loadFailed);

  useEffect(() => {
    function onClick(event: MouseEvent): void {
      const link = leaving(event);
      if (link && !navigator.onLine) {
        // Otherwise the browser's error page would replace this one.
        event.preventDefault();
        event.stopImmediatePropagation();
        onOffline();
        return;
      }
      if (!link || !isUnsaved() || link.closest("dialog:modal")) return; // the question could not appear above a modal dialog
      event.preventDefault();
      event.stopImmediatePropagation();
      void mayLeave().then((yes) => yes && link.click());
    }
    function onNavigate(event: NavigateEvent): void {
      const { navigationType, cancelable, destination } = event;
      if (
        !isUnsaved() ||
        document.querySelector("dialog:modal") ||
        navigationType !== "traverse" ||
        !cancelable ||
        !destination.sameDocument
      )
        return;
      event.preventDefault();
      void mayLeave().then((yes) => yes && window.navigation.traverseTo(destination.key));
    }
    const history = "navigation" in window ? window.navigation : null;
    window.addEventListener("click", onClick, true); // before next/link handles the click
    history?.addEventListener("navigate", onNavigate);
    return () => {
      window.removeEventListener("click", onClick, true);
      history?.removeEventListener("navigate", onNavigate);
    };
  }, []);

  return null;
}

/** The link, if the click opens another page of this site in this tab. */
function leaving(event: MouseEvent): HTMLAnchorElement | null {
  const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event;
  const link = target instanceof Element ? target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return null;
  // The browser itself asks before it opens another site.
  if ((link.target && link.target !== "_self") || link.download || link.origin !== window.location.origin) return null;
  const { pathname, search } = window.location;
  return link.pathname === pathname && link.search === search ? null : link;
}
