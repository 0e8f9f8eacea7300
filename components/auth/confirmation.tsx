import { useEffect } from "react";
import { useDialogs } from "@/components/ui/dialogs";
import { onDemand } from "@/components/ui/on-demand";
import { onConfirmationRequired } from "@/lib/client/confirmation";

const ConfirmIdentity = onDemand(() => import("./confirm-identity").then(({ ConfirmIdentity }) => ConfirmIdentity));

/** Asks the person to confirm their identity when a call needs it (lib/client/call.ts). */
export function Confirmation() {
  const { openDialog } = useDialogs();
  useEffect(
    () =>
      onConfirmationRequired(
        () =>
          new Promise((resolve) => {
            let confirmed = false;
            const onConfirmed = () => {
              confirmed = true;
            };
            openDialog(<ConfirmIdentity onConfirmed={onConfirmed} />, () => resolve(confirmed));
          }),
      ),
    [openDialog],
  );
  return null;
}
