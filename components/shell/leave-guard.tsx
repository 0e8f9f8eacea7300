"use client";

import { useEffect } from "react";
import { tellBroken } from "@/components/ui/toasts";
import { isUnsaved, mayLeave, useAsker, useDiscardQuestion } from "@/components/ui/unsaved";

/**
 * Asks before a link, or the browser's back and forward, take the page away from under something that was typed. Where the
 * browser has no Navigation API, back and forward are not asked about; nor is a second back without a press on the page since
 * the first, by which browsers let people out of pages that would keep them.
 */
export function LeaveGuard() {
  const [ask, dialog] = useDiscardQuestion();
  useAsker(ask, true, true);

  useEffect(() => {
    function onClick(event: MouseEvent): void {
      const link = leaving(event);
      if (link && !navigator.onLine) {
        // The browser's own page about it would take the place of this one.
        event.preventDefault();
        event.stopImmediatePropagation();
        tellBroken();
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

  return dialog;
}

/** The link by which a click leaves this page within this tab, or null. */
function leaving(event: MouseEvent): HTMLAnchorElement | null {
  const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event;
  const link = target instanceof Element ? target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return null;
  // What is no page of ours is the browser's own question.
  if ((link.target && link.target !== "_self") || link.download || link.origin !== window.location.origin) return null;
  const { pathname, search } = window.location;
  return link.pathname === pathname && link.search === search ? null : link;
}
