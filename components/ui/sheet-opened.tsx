import { Button } from "@cloudflare/kumo/components/button";
import { Dialog } from "@cloudflare/kumo/primitives/dialog";
import { XIcon } from "@phosphor-icons/react/dist/ssr/X";
import { useCallback, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import type { SheetProps } from "./sheet";
import { type Marks, useAsker, useDiscardQuestion, Within } from "./unsaved";

export function SheetOpened({ open, onOpenChange, title, wide = false, children }: SheetProps) {
  const t = useTranslations("ui");
  const popup = useRef<HTMLDivElement>(null);
  const [unsaved] = useState((): Marks => new Set());
  const [ask, question] = useDiscardQuestion(open);
  const close = useRef(() => onOpenChange(false));
  close.current = () => onOpenChange(false);
  const leave = useCallback(async (): Promise<boolean> => {
    const yes = await ask();
    if (yes) close.current();
    return yes;
  }, [ask]);
  useAsker(leave, open);

  function change(next: boolean): void {
    if (next || unsaved.size === 0) onOpenChange(next);
    else void leave();
  }

  return (
    <Dialog.Root open={open} onOpenChange={change} disablePointerDismissal>
      <Dialog.Portal>
        {/* A press beside the sheet, or on it below a question, leaves the focus where it is. */}
        <Dialog.Backdrop
          onMouseDown={(event) => event.preventDefault()}
          className="fixed inset-0 z-30 bg-black/30 motion-safe:transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0 dark:bg-black/60"
        />
        <Dialog.Popup
          ref={popup}
          // The first field, not the close button; by touch the panel itself, or the keyboard would cover the form.
          initialFocus={() =>
            matchMedia("(pointer: coarse)").matches ? popup.current : popup.current?.querySelector("input")
          }
          // Out of reach while a question lies above it.
          className={`fixed inset-y-0 right-0 z-40 flex w-full flex-col bg-kumo-base shadow-2xl ring ring-kumo-line outline-none dimmed-by-question data-nested-dialog-open:pointer-events-none motion-safe:transition-[translate] duration-200 data-ending-style:translate-x-8 data-starting-style:translate-x-8 sm:max-w-lg ${wide ? "lg:max-w-5xl" : ""}`}
        >
          <div className="flex h-14 shrink-0 items-center justify-between gap-4 border-b border-kumo-hairline pr-3 pl-5">
            <Dialog.Title className="text-[15px] font-semibold tracking-tight text-kumo-strong">{title}</Dialog.Title>
            <Dialog.Close
              render={(props) => (
                <Button {...props} variant="ghost" shape="square" icon={<XIcon size={18} />} aria-label={t("close")} />
              )}
            />
          </div>
          <Within value={unsaved}>{children}</Within>
          {question}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
