import { Button } from "@cloudflare/kumo/components/button";
import { Dialog } from "@cloudflare/kumo/components/dialog";
import { useTranslations } from "use-intl";
import type { DiscardQuestionProps } from "./discard-question";

export function DiscardQuestionOpened({ of, open, onDecide }: DiscardQuestionProps) {
  const t = useTranslations(`ui.discard.${of}`);
  return (
    <Dialog.Root role="alertdialog" open={open} onOpenChange={(next) => !next && onDecide(false)}>
      <Dialog className="z-50 max-w-[calc(100vw-2rem)] p-6 sm:w-100">
        <Dialog.Title className="text-lg font-semibold tracking-tight text-kumo-strong">{t("title")}</Dialog.Title>
        <Dialog.Description className="mt-2 text-base leading-relaxed text-kumo-subtle">{t("text")}</Dialog.Description>
        {/* The first has the focus: Enter keeps. */}
        <div className="mt-6 flex flex-row-reverse flex-wrap gap-2">
          <Dialog.Close
            render={(attributes) => (
              <Button {...attributes} variant="primary">
                {t("keep")}
              </Button>
            )}
          />
          <Button variant="secondary" onClick={() => onDecide(true)}>
            {t("discard")}
          </Button>
        </div>
      </Dialog>
    </Dialog.Root>
  );
}
