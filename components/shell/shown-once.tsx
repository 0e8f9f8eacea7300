"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { Dialog } from "@cloudflare/kumo/components/dialog";
import type { ReactNode } from "react";
import { CopyButton } from "@/components/ui/copy-button";

interface ShownOnceProps {
  title: string;
  /** What is shown now and never again; null: nothing is. */
  secret: string | null;
  /** What it is: "key", "link". */
  what: string;
  children: ReactNode;
  onDone: () => void;
}

/** Shows a secret, this once. It closes by its button alone: a click beside it would lose what it shows. */
export function ShownOnce({ title, secret, what, children, onDone }: ShownOnceProps) {
  return (
    <Dialog.Root role="alertdialog" open={secret !== null} onOpenChange={(open) => !open && onDone()}>
      <Dialog className="max-w-[calc(100vw-2rem)] p-6 sm:w-120">
        <Dialog.Title className="text-lg font-semibold tracking-tight text-kumo-strong">{title}</Dialog.Title>
        <Dialog.Description
          className="mt-2 text-base leading-relaxed text-kumo-subtle"
          render={(attributes) => <div {...attributes}>{children}</div>}
        />
        <div className="mt-4 flex items-start gap-2 rounded-lg bg-kumo-recessed py-2 pr-2 pl-3">
          <code className="min-w-0 flex-1 py-1.5 font-mono text-sm break-all text-kumo-default" data-secret>
            {secret}
          </code>
          <CopyButton text={secret ?? ""} what={what} />
        </div>
        <div className="mt-6 flex justify-end">
          <Button variant="primary" onClick={onDone}>
            I have kept it
          </Button>
        </div>
      </Dialog>
    </Dialog.Root>
  );
}
