import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslations } from "use-intl";
import { loginPath } from "@/components/shell/next-path";
import { useExplainFailure } from "@/components/ui/explain-failure";
import { Logo } from "@/components/ui/logo";
import { allowLeaving } from "@/components/ui/unsaved";
import { ApiFailure } from "@/lib/client/api-failure";
import { resumeSession, watchSession } from "@/lib/client/session-end";
import { linkClass } from "./auth-frame";
import { hasRejoined, type Person, rejoinBusiness } from "./rejoin-business";
import { useTopDialog } from "./use-top-dialog";

/** Retries every 2 s: giving up would lose the page's unsaved changes. */
async function fetchForm(): Promise<{ default: typeof import("./sign-in-form").SignInForm }> {
  for (;;) {
    const form = await import("./sign-in-form").catch(() => null);
    if (form) return { default: form.SignInForm };
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
}

const SignInForm = lazy(fetchForm);

export function SessionDialog({ person }: { person: Person }) {
  const t = useTranslations("auth.session");
  const [ended, setEnded] = useState(false);
  const explainFailure = useExplainFailure();
  const last = useLastFocus(ended);
  const client = useQueryClient();
  const router = useRouter();
  useEffect(() => watchSession(() => setEnded(true)), []);

  // The page is inert while the dialog is open, so the focus returns after it has closed.
  const [returning, setReturning] = useState(false);
  useEffect(() => {
    if (!returning) return;
    setReturning(false);
    const target = last.current;
    requestAnimationFrame(() => target?.focus());
  }, [returning, last]);

  function resume(): void {
    setReturning(true);
    setEnded(false);
    resumeSession();
    void client.invalidateQueries();
    router.refresh(); // prefetched pages may be redirects to the sign-in
  }

  // A sign-in in another tab closes this dialog too.
  useEffect(() => {
    if (!ended) return;
    const checkSession = async (): Promise<void> => {
      if (document.visibilityState === "visible" && (await hasRejoined(person))) resume();
    };
    const listen = (): void => void checkSession();
    window.addEventListener("focus", listen);
    document.addEventListener("visibilitychange", listen);
    return () => {
      window.removeEventListener("focus", listen);
      document.removeEventListener("visibilitychange", listen);
    };
  });

  async function onSignedIn(): Promise<string | null> {
    const outcome = await rejoinBusiness(person);
    if (outcome === "same") resume();
    if (outcome === "no cookie") return t("noCookie");
    if (outcome instanceof ApiFailure) return explainFailure(outcome);
    if (outcome === "same") return null;
    allowLeaving();
    window.location.reload();
    return new Promise(() => undefined);
  }

  if (!ended) return null;
  return createPortal(
    <TopDialog title={t("ended")} lead={t("lead")}>
      <Suspense fallback={<div className="h-56 rounded-lg bg-kumo-fill motion-safe:animate-pulse" />}>
        <SignInForm as={person.email} onDone={onSignedIn} />
      </Suspense>
      <p className="mt-5 text-center text-base text-kumo-subtle">
        {/* The other account opens this address with its own permissions. */}
        <a
          href={loginPath(window.location.pathname + window.location.search)}
          className={linkClass}
          onClick={() => allowLeaving()} // unsaved changes belong to the first account
        >
          {t("otherAccount")}
        </a>
      </p>
    </TopDialog>,
    document.body,
  );
}

function TopDialog({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const dialog = useTopDialog();
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby="session-title"
      aria-describedby="session-lead"
      className="m-auto max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] max-w-[22rem] overflow-y-auto rounded-xl bg-kumo-base p-6 text-kumo-default shadow-2xl ring ring-kumo-line backdrop:bg-(--backdrop) sm:p-7"
    >
      <div className="mb-4">
        <Logo size={28} />
      </div>
      <h2 id="session-title" className="text-lg font-semibold tracking-tight text-kumo-strong">
        {title}
      </h2>
      <p id="session-lead" className="mt-1 text-base leading-relaxed text-kumo-subtle">
        {lead}
      </p>
      <div className="mt-5">{children}</div>
    </dialog>
  );
}

/** The page's last focused control. A busy button loses the focus before the dialog opens. */
function useLastFocus(ended: boolean) {
  const last = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (ended) return;
    const rememberFocus = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement && target.tabIndex >= 0) last.current = target; // controls only
    };
    document.addEventListener("focusin", rememberFocus);
    return () => document.removeEventListener("focusin", rememberFocus);
  }, [ended]);
  return last;
}
