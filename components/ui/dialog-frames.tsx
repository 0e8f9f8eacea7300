import { AlertDialog } from "@cloudflare/kumo/primitives/alert-dialog";
import { Dialog } from "@cloudflare/kumo/primitives/dialog";
import { XIcon } from "@phosphor-icons/react/dist/ssr/X";
import { type ReactNode, type RefObject, Suspense, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { Alert } from "./alert";
import { Button } from "./button";
import { CopyButton } from "./copy-button";
import { useLayer } from "./dialog-layer";
import { LoadBoundary } from "./on-demand";
import { FocusNewFields, firstFocus, typeEarlyInput } from "./sheet-focus";
import { type Loss, mayDiscard, SheetMarks, type UnsavedMarks, useUnsaved } from "./unsaved";
import { useBackCloses } from "./use-back-closes";

export interface SheetOptions {
  title: string;
  /** Room for a preview beside the form on wide screens. */
  wide?: boolean;
  /** Whether it has fields: its first one takes what is typed before it opens. True unless it is said otherwise. */
  isForm?: boolean;
  /** @param close closes the sheet without asking about unsaved changes */
  content: (close: () => void) => ReactNode;
  onClosed?: () => void;
}

export interface ConfirmOptions {
  title: string;
  body: ReactNode;
  action: string;
  destructive?: boolean;
  /** Runs at most once, unless it resolves to "retry". The dialog stays open until then. */
  run: () => Promise<unknown>;
}

export interface SecretOptions {
  title: string;
  text: string;
  secret: string;
  copy: string;
}

export function SheetFrame({ title, wide = false, content }: Omit<SheetOptions, "onClosed">) {
  const t = useTranslations("ui");
  const { open, close, remove, nested } = useLayer();
  const popup = useRef<HTMLDivElement>(null);
  const [marks] = useState((): UnsavedMarks => new Set());

  async function askAndClose(): Promise<void> {
    if (await mayDiscard(marks)) close();
  }

  useBackCloses(open, () => void askAndClose());

  return (
    <Dialog.Root
      open={open}
      onOpenChange={() => void askAndClose()}
      onOpenChangeComplete={(stays) => !stays && remove()}
      disablePointerDismissal
    >
      <Dialog.Portal>
        {/* A click outside the sheet keeps the focus where it is. */}
        <Dialog.Backdrop
          onMouseDown={(event) => event.preventDefault()}
          className="fixed inset-0 z-30 bg-(--backdrop) motion-safe:duration-200 motion-safe:transition-opacity data-ending-style:opacity-0 starting:opacity-0"
        />
        <Dialog.Popup
          ref={popup}
          data-sheet
          initialFocus={() => popup.current && firstFocus(popup.current)}
          onFocus={typeEarlyInput}
          className={`fixed inset-y-0 right-0 z-40 flex w-full flex-col pb-[env(safe-area-inset-bottom)] bg-kumo-base shadow-2xl ring ring-kumo-line outline-none dimmed-by-question motion-safe:duration-200 data-nested-dialog-open:pointer-events-none motion-safe:transition-[translate,opacity] data-ending-style:translate-x-8 data-ending-style:opacity-0 sm:max-w-lg starting:translate-x-8 starting:opacity-0 ${wide ? "lg:max-w-5xl" : ""}`}
        >
          <div className="flex h-14 shrink-0 items-center justify-between gap-4 border-b border-kumo-hairline pr-3 pl-5">
            <Dialog.Title className="text-[15px] font-semibold tracking-tight text-kumo-strong">{title}</Dialog.Title>
            <Dialog.Close
              render={(props) => (
                <Button {...props} variant="ghost" shape="square" icon={<XIcon size={18} />} aria-label={t("close")} />
              )}
            />
          </div>
          <SheetMarks value={marks}>
            <LoadBoundary fallback={(retry) => <LoadFailed onRetry={retry} />}>
              <Suspense fallback={<FormSkeleton />}>{content(close)}</Suspense>
            </LoadBoundary>
          </SheetMarks>
          <FocusNewFields popup={popup} />
          {nested}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function LoadFailed({ onRetry }: { onRetry: () => void }) {
  const t = useTranslations("ui.loadFailure");
  return (
    <div className="grid justify-items-start gap-4 p-5">
      <Alert>
        {t("title")}. {t("text")}
      </Alert>
      <Button ref={(button) => button?.focus()} variant="secondary" onClick={onRetry}>
        {t("retry")}
      </Button>
    </div>
  );
}

function FormSkeleton() {
  const t = useTranslations("ui");
  return (
    <div className="grid gap-5 p-5">
      <p role="status" className="sr-only">
        {t("loading")}
      </p>
      {["w-24", "w-40", "w-32"].map((width) => (
        <div key={width} aria-hidden className="grid gap-2">
          <span className={`h-3 rounded bg-kumo-fill motion-safe:animate-pulse ${width}`} />
          <span className="h-9 rounded-lg bg-kumo-fill motion-safe:animate-pulse" />
        </div>
      ))}
    </div>
  );
}

/**
 * A busy button had the focus when the question opened, and it is disabled: the dialog below gives the focus to the button or to
 * its new content. By default, the page behind both would get the focus.
 */
function useLosesFocus(popup: RefObject<HTMLElement | null>): () => boolean {
  const { open, isNested } = useLayer();
  const [opener] = useState(() => document.activeElement);
  const losesFocus = (): boolean =>
    isNested && (opener === document.body || !opener?.isConnected || opener.matches(":disabled"));
  const blur = useEffectEvent(() => {
    const { activeElement } = document;
    if (losesFocus() && activeElement instanceof HTMLElement && popup.current?.contains(activeElement))
      activeElement.blur();
  });
  useLayoutEffect(() => {
    if (!open) blur();
  }, [open]);
  return losesFocus;
}

interface QuestionProps {
  title: string;
  body: ReactNode;
  className?: string;
  onClose: () => void;
  children: ReactNode;
}

export function Question({ title, body, className = "sm:w-108", onClose, children }: QuestionProps) {
  const { open, remove, nested } = useLayer();
  const popup = useRef<HTMLDivElement>(null);
  const losesFocus = useLosesFocus(popup);
  useBackCloses(open, onClose);
  return (
    <AlertDialog.Root open={open} onOpenChange={onClose} onOpenChangeComplete={(stays) => !stays && remove()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-(--backdrop) motion-safe:duration-150 motion-safe:transition-opacity data-ending-style:opacity-0 starting:opacity-0" />
        <AlertDialog.Popup
          ref={popup}
          finalFocus={() => !losesFocus()}
          className={`fixed top-8 left-1/2 z-50 max-h-[calc(100dvh-4rem)] w-full max-w-[calc(100vw-2rem)] -translate-x-1/2 overflow-y-auto rounded-xl bg-kumo-base p-6 text-kumo-default shadow-xl ring ring-kumo-line outline-none dimmed-by-question motion-safe:duration-150 motion-safe:transition-[scale,opacity] data-ending-style:scale-90 data-ending-style:opacity-0 sm:top-16 starting:scale-90 starting:opacity-0 ${className}`}
        >
          <AlertDialog.Title className="text-lg font-semibold tracking-tight text-kumo-strong">
            {title}
          </AlertDialog.Title>
          <AlertDialog.Description
            className="mt-2 grid gap-2 text-base leading-relaxed text-kumo-subtle"
            render={(attributes) => <div {...attributes}>{body}</div>}
          />
          {children}
          {nested}
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

export function ConfirmDialog({ title, body, action, destructive = false, run }: ConfirmOptions) {
  const t = useTranslations("shell.form");
  const { close } = useLayer();
  const started = useRef(false);
  const [busy, setBusy] = useState(false);

  async function start(): Promise<void> {
    if (started.current) return;
    started.current = true;
    setBusy(true);
    let again = false;
    try {
      again = (await run()) === "retry";
    } finally {
      if (again) {
        started.current = false;
        setBusy(false);
      } else {
        close(); // `started` stays: the second half of a double click may still hit the dialog while it closes
      }
    }
  }

  return (
    <Question title={title} body={body} onClose={() => !busy && close()}>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        {/* Not called "Cancel": the action may be a cancellation. */}
        <Button variant="secondary" disabled={busy} onClick={close}>
          {t("goBack")}
        </Button>
        <Button
          variant={destructive ? "destructive" : "primary"}
          className="ignores-double-click"
          loading={busy}
          onClick={() => void start()}
        >
          {action}
        </Button>
      </div>
    </Question>
  );
}

/** Asks before unsaved changes are lost. Enter keeps them. */
export function DiscardQuestion({ loss, onDiscard }: { loss: Loss; onDiscard: () => void }) {
  const t = useTranslations(`ui.discard.${loss}`);
  const { close } = useLayer();
  return (
    <Question title={t("title")} body={t("text")} className="sm:w-100" onClose={close}>
      <div className="mt-6 flex flex-row-reverse flex-wrap gap-2">
        <Button variant="primary" onClick={close}>
          {t("keep")}
        </Button>
        <Button
          variant="secondary"
          onClick={() => {
            onDiscard();
            close();
          }}
        >
          {t("discard")}
        </Button>
      </div>
    </Question>
  );
}

/** Shows a secret once. It closes by its button alone: Escape would lose the secret. Leaving the page asks first. */
export function SecretDialog({ title, text, secret, copy }: SecretOptions) {
  const t = useTranslations("shell.shownOnce");
  const { open, close } = useLayer();
  useUnsaved(open, "secret");
  return (
    <Question title={title} body={text} className="sm:w-120" onClose={() => undefined}>
      <div className="mt-4 flex items-start gap-2 rounded-lg bg-kumo-recessed py-2 pr-2 pl-3">
        <code className="min-w-0 flex-1 py-1.5 font-mono text-sm break-all text-kumo-default" data-secret>
          {secret}
        </code>
        <CopyButton text={secret} label={copy} />
      </div>
      <div className="mt-6 flex justify-end">
        <Button variant="primary" className="ignores-double-click" onClick={close}>
          {t("kept")}
        </Button>
      </div>
    </Question>
  );
}
