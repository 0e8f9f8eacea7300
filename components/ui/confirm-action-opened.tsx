import { Button } from "@cloudflare/kumo/components/button";
import { Dialog } from "@cloudflare/kumo/components/dialog";
import { useRef } from "react";
import { useTranslations } from "use-intl";
import type { ConfirmActionProps } from "./confirm-action";
import { SteadyButton } from "./steady-button";

export function ConfirmActionOpened(props: ConfirmActionProps) {
  const t = useTranslations("shell.form");
  const { open, onOpenChange, busy, onConfirm } = props;
  // While the question closes, what is asked stays what it was, and nobody can say yes any more: nothing is wanted by then.
  const asked = useRef(props);
  if (open) asked.current = props;
  const { title, children, action, destructive = false } = asked.current;
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
                {t("goBack")}
              </Button>
            )}
          />
          <SteadyButton
            variant={destructive ? "destructive" : "primary"}
            loading={busy}
            onClick={() => open && onConfirm()}
          >
            {action}
          </SteadyButton>
        </div>
      </Dialog>
    </Dialog.Root>
  );
}
