"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { Dialog } from "@cloudflare/kumo/primitives/dialog";
import { XIcon } from "@phosphor-icons/react/dist/ssr/X";
import { type ReactNode, useRef } from "react";

interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Room for something beside a form, where the screen has it. */
  wide?: boolean;
  children: ReactNode;
}

/** A panel from the right, the whole screen on a phone. A click beside it does not close it: typed text would be lost. */
export function Sheet({ open, onOpenChange, title, wide = false, children }: SheetProps) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange} disablePointerDismissal>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-black/30 motion-safe:transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0 dark:bg-black/60" />
        <Dialog.Popup
          ref={popup}
          // The first field, not the close button; by touch the panel itself, or the keyboard would cover the form.
          initialFocus={(by) => by === "touch" || popup.current?.querySelector("input")}
          className={`fixed inset-y-0 right-0 z-40 flex w-full flex-col bg-kumo-base shadow-2xl ring ring-kumo-line outline-none motion-safe:transition-[translate] duration-200 data-ending-style:translate-x-8 data-starting-style:translate-x-8 sm:max-w-lg ${wide ? "lg:max-w-5xl" : ""}`}
        >
          <div className="flex h-14 shrink-0 items-center justify-between gap-4 border-b border-kumo-hairline pr-3 pl-5">
            <Dialog.Title className="text-[15px] font-semibold tracking-tight text-kumo-strong">{title}</Dialog.Title>
            <Dialog.Close
              render={(props) => (
                <Button {...props} variant="ghost" shape="square" icon={<XIcon size={18} />} aria-label="Close" />
              )}
            />
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
