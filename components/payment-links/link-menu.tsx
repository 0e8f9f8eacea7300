"use client";

import { CopySimpleIcon } from "@phosphor-icons/react/dist/ssr/CopySimple";
import { PaperPlaneTiltIcon } from "@phosphor-icons/react/dist/ssr/PaperPlaneTilt";
import { PauseIcon } from "@phosphor-icons/react/dist/ssr/Pause";
import { PencilSimpleIcon } from "@phosphor-icons/react/dist/ssr/PencilSimple";
import { PlayIcon } from "@phosphor-icons/react/dist/ssr/Play";
import { TrashIcon } from "@phosphor-icons/react/dist/ssr/Trash";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { RowMenu } from "@/components/ui/row-menu";
import { Sheet } from "@/components/ui/sheet";
import { sheetPart } from "@/components/ui/sheet-part";
import {
  paymentLinkEndpoints as endpoints,
  type PaymentLink,
  periodScope,
} from "@/lib/resources/payment-links/contract";
import { useTimeZone } from "@/lib/resources/settings/queries";
import { valuesOf } from "./form-values";
import { isFixed, useLinkQuestion } from "./link-questions";

const CreatePaymentLink = sheetPart(() =>
  import("./create-payment-link").then(({ CreatePaymentLink }) => CreatePaymentLink),
);
const EditPaymentLink = sheetPart(() => import("./edit-payment-link").then(({ EditPaymentLink }) => EditPaymentLink));

interface LinkMenuProps {
  link: PaymentLink;
  variant?: "ghost" | "secondary";
  onRemoved?: () => void;
}

/** What can be done with a link beyond looking at it: what its state allows, by whoever may do it. Not there when that is nothing. */
export function LinkMenu({ link, variant, onRemoved }: LinkMenuProps) {
  const t = useTranslations("paymentLinks.actions");
  const [open, setOpen] = useState<"edit" | "duplicate" | null>(null);
  const [ask, dialog] = useLinkQuestion(link, onRemoved);
  const zone = useTimeZone() ?? "UTC";
  const may = useMay();
  const mayDecide = (endpoint: Parameters<typeof may>[0]): boolean =>
    may(endpoint) && (link.subscription_id === null || may({ scope: periodScope }));
  const fixed = isFixed(link);
  const close = (still: boolean): void => {
    if (!still) setOpen(null);
  };
  const active = link.status === "Active";
  const actions = [
    !fixed &&
      mayDecide(endpoints.update) && { label: t("edit"), icon: PencilSimpleIcon, onClick: () => setOpen("edit") },
    may(endpoints.create) && { label: t("duplicate"), icon: CopySimpleIcon, onClick: () => setOpen("duplicate") },
    active && may(endpoints.send) && { label: t("send"), icon: PaperPlaneTiltIcon, onClick: () => ask("send") },
    active &&
      mayDecide(endpoints.deactivate) && { label: t("deactivate"), icon: PauseIcon, onClick: () => ask("deactivate") },
    link.status === "Inactive" &&
      mayDecide(endpoints.activate) && { label: t("activate"), icon: PlayIcon, onClick: () => ask("activate") },
    !fixed &&
      mayDecide(endpoints.remove) && {
        label: t("remove"),
        icon: TrashIcon,
        destructive: true,
        onClick: () => ask("remove"),
      },
  ].filter((action) => action !== false);
  if (actions.length === 0) return null;
  return (
    <>
      <RowMenu label={t("more", { title: link.title })} variant={variant} actions={actions} />
      {dialog}
      <Sheet open={open === "edit"} onOpenChange={close} title={t("editTitle")} wide>
        <EditPaymentLink link={link} onDone={() => setOpen(null)} />
      </Sheet>
      <Sheet open={open === "duplicate"} onOpenChange={close} title={t("duplicateTitle")} wide>
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
