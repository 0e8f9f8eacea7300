"use client";

import { Dialog } from "@cloudflare/kumo/components/dialog";
import { type ReactNode, useCallback, useRef } from "react";
import { useTranslations } from "use-intl";
import { CopyButton } from "./copy-button";
import { SteadyButton } from "./steady-button";
import { useAsker, useDiscardQuestion, useUnsaved } from "./unsaved";

interface ShownOnceProps {
  title: string;
  /** What is shown now and never again; null: nothing is. */
  secret: string | null;
  /** What copying it is called: "Copy the key". */
  copy: string;
  children: ReactNode;
  onDone: () => void;
}

/**
 * Shows a secret, this once. It closes by its button alone: Escape would lose what it shows. The browser's back asks first, as
 * far as browsers let a page ask (leave-guard).
 */
export function ShownOnce({ title, secret, copy, children, onDone }: ShownOnceProps) {
  const t = useTranslations("shell.shownOnce");
  const [ask, question] = useDiscardQuestion(secret !== null);
  const done = useRef(onDone);
  done.current = onDone;
  const leave = useCallback(async (): Promise<boolean> => {
    const yes = await ask();
    if (yes) done.current();
    return yes;
  }, [ask]);
  useAsker(leave, secret !== null);
  useUnsaved(secret !== null, "secret");
  return (
    <Dialog.Root role="alertdialog" open={secret !== null}>
      <Dialog className="max-w-[calc(100vw-2rem)] p-6 dimmed-by-question sm:w-120">
        <Dialog.Title className="text-lg font-semibold tracking-tight text-kumo-strong">{title}</Dialog.Title>
        <Dialog.Description
          className="mt-2 text-base leading-relaxed text-kumo-subtle"
          render={(attributes) => <div {...attributes}>{children}</div>}
        />
        <div className="mt-4 flex items-start gap-2 rounded-lg bg-kumo-recessed py-2 pr-2 pl-3">
          <code className="min-w-0 flex-1 py-1.5 font-mono text-sm break-all text-kumo-default" data-secret>
            {secret}
          </code>
          <CopyButton text={secret ?? ""} label={copy} />
        </div>
        <div className="mt-6 flex justify-end">
          <SteadyButton variant="primary" onClick={onDone}>
            {t("kept")}
          </SteadyButton>
        </div>
        {question}
      </Dialog>
    </Dialog.Root>
  );
}
