import { useEffect, useEffectEvent } from "react";
import { useToasts } from "@/components/ui/toasts";
import { isUnsaved, mayLeave } from "@/components/ui/unsaved";

/**
 * Asks before a link, or the browser's back and forward, leaves a page with unsaved changes. Back and forward need the
 * Navigation API. A second back without a press on the page in between leaves without a question: browsers insist on that.
 */
export function LeaveGuard() {
  const { loadFailed } = useToasts();
  const onOffline = useEffectEvent(loadFailed);

  useEffect(() => {
    function onClick(event: MouseEvent): void {
      const link = leaving(event);
      if (link && !navigator.onLine) {
        // Else the browser's own error page would replace this one.
        event.preventDefault();
        event.stopImmediatePropagation();
        onOffline();
        return;
      }
      if (!link || !isUnsaved() || link.closest("dialog:modal")) return; // no question lies above a modal dialog
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
    window.addEventListener("click", onClick, true); // before the framework's own links
    history?.addEventListener("navigate", onNavigate);
    return () => {
      window.removeEventListener("click", onClick, true);
      history?.removeEventListener("navigate", onNavigate);
    };
  }, []);

  return null;
}

/** The link by which a click leaves this page within this tab, or null. */
function leaving(event: MouseEvent): HTMLAnchorElement | null {
  const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event;
  const link = target instanceof Element ? target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return null;
  // For other sites the browser asks by itself.
  if ((link.target && link.target !== "_self") || link.download || link.origin !== window.location.origin) return null;
  const { pathname, search } = window.location;
  return link.pathname === pathname && link.search === search ? null : link;
}
