"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { Dialog } from "@cloudflare/kumo/components/dialog";
import type { ReactNode } from "react";

interface ConfirmActionProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What will happen. */
  children: ReactNode;
  action: string;
  /** Whether something is lost by it. */
  destructive?: boolean;
  busy: boolean;
  onConfirm: () => void;
}

/**
 * Says what an action will do before it does it. Unlike ui/confirm, its way out is not called "Cancel": what it asks about
 * may itself be a cancellation.
 */
export function ConfirmAction(props: ConfirmActionProps) {
  const { open, onOpenChange, title, children, action, destructive = false, busy, onConfirm } = props;
  return (
    <Dialog.Root role="alertdialog" open={open} onOpenChange={onOpenChange}>
      {/* Above a sheet, from whose form it may ask. */}
      <Dialog className="z-50 max-w-[calc(100vw-2rem)] p-6 sm:w-108">
        <Dialog.Title className="text-lg font-semibold tracking-tight text-kumo-strong">{title}</Dialog.Title>
        <Dialog.Description
          className="mt-2 grid gap-2 text-base leading-relaxed text-kumo-subtle"
          render={(attributes) => <div {...attributes}>{children}</div>}
        />
        <div className="mt-6 flex flex-wrap justify-end gap-2">
          <Dialog.Close
            render={(attributes) => (
              <Button {...attributes} variant="secondary">
                Go back
              </Button>
            )}
          />
          <Button variant={destructive ? "destructive" : "primary"} loading={busy} onClick={onConfirm}>
            {action}
          </Button>
        </div>
      </Dialog>
    </Dialog.Root>
  );
}
