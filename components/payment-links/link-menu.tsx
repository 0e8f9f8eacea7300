"use client";

import { DropdownMenu } from "@cloudflare/kumo/components/dropdown";
import { CopySimpleIcon } from "@phosphor-icons/react/dist/ssr/CopySimple";
import { PaperPlaneTiltIcon } from "@phosphor-icons/react/dist/ssr/PaperPlaneTilt";
import { PauseIcon } from "@phosphor-icons/react/dist/ssr/Pause";
import { PencilSimpleIcon } from "@phosphor-icons/react/dist/ssr/PencilSimple";
import { PlayIcon } from "@phosphor-icons/react/dist/ssr/Play";
import { TrashIcon } from "@phosphor-icons/react/dist/ssr/Trash";
import { useState } from "react";
import { RowMenu } from "@/components/shell/row-menu";
import { Sheet } from "@/components/ui/sheet";
import type { PaymentLink } from "@/lib/payment-links/contract";
import { useTimeZone } from "@/lib/test-clock/queries";
import { CreatePaymentLink } from "./create-payment-link";
import { EditPaymentLink } from "./edit-payment-link";
import { valuesOf } from "./form-values";
import { isFixed, useLinkQuestion } from "./link-questions";

interface LinkMenuProps {
  link: PaymentLink;
  variant?: "ghost" | "secondary";
  onRemoved?: () => void;
}

/** What can be done with a link beyond looking at it; only what its state allows. */
export function LinkMenu({ link, variant, onRemoved }: LinkMenuProps) {
  const [open, setOpen] = useState<"edit" | "duplicate" | null>(null);
  const [ask, dialog] = useLinkQuestion(link, onRemoved);
  const zone = useTimeZone() ?? "UTC";
  const fixed = isFixed(link);
  const close = (still: boolean): void => {
    if (!still) setOpen(null);
  };
  return (
    <>
      <RowMenu label={`More for ${link.title}`} variant={variant}>
        {!fixed && (
          <DropdownMenu.Item icon={PencilSimpleIcon} onClick={() => setOpen("edit")}>
            Edit
          </DropdownMenu.Item>
        )}
        <DropdownMenu.Item icon={CopySimpleIcon} onClick={() => setOpen("duplicate")}>
          Duplicate
        </DropdownMenu.Item>
        {link.status === "Active" && (
          <DropdownMenu.Item icon={PaperPlaneTiltIcon} onClick={() => ask("send")}>
            Send by e-mail
          </DropdownMenu.Item>
        )}
        {link.status === "Active" && (
          <DropdownMenu.Item icon={PauseIcon} onClick={() => ask("deactivate")}>
            Deactivate
          </DropdownMenu.Item>
        )}
        {link.status === "Inactive" && (
          <DropdownMenu.Item icon={PlayIcon} onClick={() => ask("activate")}>
            Activate
          </DropdownMenu.Item>
        )}
        {!fixed && (
          <DropdownMenu.Item icon={TrashIcon} variant="danger" onClick={() => ask("remove")}>
            Delete
          </DropdownMenu.Item>
        )}
      </RowMenu>
      {dialog}
      <Sheet open={open === "edit"} onOpenChange={close} title="Edit payment link" wide>
        <EditPaymentLink link={link} onDone={() => setOpen(null)} />
      </Sheet>
      <Sheet open={open === "duplicate"} onOpenChange={close} title="Duplicate payment link" wide>
        <CreatePaymentLink
          currency={link.currency}
          // What ran out once is not taken over: the new link would be born expired.
          initial={{ ...valuesOf(link, zone), expires_at: "" }}
          onDone={() => setOpen(null)}
        />
      </Sheet>
    </>
  );
}
