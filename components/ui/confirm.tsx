"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { Dialog } from "@cloudflare/kumo/components/dialog";
import type { ReactNode } from "react";

interface ConfirmProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  children: ReactNode;
  action: string;
  busy: boolean;
  onConfirm: () => void;
}

/** Asks before something that cannot be undone. */
export function Confirm({ open, onOpenChange, title, children, action, busy, onConfirm }: ConfirmProps) {
  return (
    <Dialog.Root role="alertdialog" open={open} onOpenChange={onOpenChange}>
      <Dialog className="max-w-[calc(100vw-2rem)] p-6 sm:w-104">
        <Dialog.Title className="text-lg font-semibold tracking-tight text-kumo-strong">{title}</Dialog.Title>
        <Dialog.Description
          className="mt-2 text-base leading-relaxed text-kumo-subtle"
          render={(props) => <div {...props}>{children}</div>}
        />
        <div className="mt-6 flex justify-end gap-2">
          <Dialog.Close
            render={(props) => (
              <Button {...props} variant="secondary">
                Cancel
              </Button>
            )}
          />
          <Button variant="destructive" loading={busy} onClick={onConfirm}>
            {action}
          </Button>
        </div>
      </Dialog>
    </Dialog.Root>
  );
}
