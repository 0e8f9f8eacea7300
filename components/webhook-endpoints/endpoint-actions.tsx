"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { ArrowClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ArrowClockwise";
import { KeyIcon } from "@phosphor-icons/react/dist/ssr/Key";
import { PaperPlaneTiltIcon } from "@phosphor-icons/react/dist/ssr/PaperPlaneTilt";
import { PencilSimpleIcon } from "@phosphor-icons/react/dist/ssr/PencilSimple";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { TrashIcon } from "@phosphor-icons/react/dist/ssr/Trash";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { RowMenu } from "@/components/ui/row-menu";
import { Sheet } from "@/components/ui/sheet";
import { sheetPart } from "@/components/ui/sheet-part";
import { SteadyButton } from "@/components/ui/steady-button";
import { useToasts } from "@/components/ui/toasts";
import type { WebhookEndpoint } from "@/lib/resources/webhook-endpoints/contract";
import { type EndpointAction, useEndpointAction } from "@/lib/resources/webhook-endpoints/queries";

const EditEndpoint = sheetPart(() => import("./endpoint-form").then(({ EditEndpoint }) => EditEndpoint));
const RedeliverFailed = sheetPart(() => import("./redeliver-failed").then(({ RedeliverFailed }) => RedeliverFailed));
const RotateSecret = sheetPart(() => import("./rotate-secret").then(({ RotateSecret }) => RotateSecret));
const SendSample = sheetPart(() => import("./send-sample").then(({ SendSample }) => SendSample));

type SheetName = "edit" | "sample" | "rotate" | "redeliver";

/** What can be done with an endpoint. */
export function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const t = useTranslations("webhooks.actions");
  const { _id: id, url, status } = endpoint;
  const [open, setOpen] = useState<SheetName | null>(null);
  const [asking, setAsking] = useState<EndpointAction | null>(null);
  const { mutate, isPending } = useEndpointAction(id);
  const toasts = useToasts();
  const router = useRouter();
  const enabled = status === "enabled";
  const close = () => setOpen(null);

  function act(action: EndpointAction): void {
    mutate(action, {
      onSuccess: () => {
        toasts.add({ title: t(`done.${action}`, { url }) });
        if (action === "remove") router.push("/developers/webhooks");
      },
      onError: (error) => toasts.failed(t("failed"), error),
      onSettled: () => setAsking(null),
    });
  }

  const confirm = (action: EndpointAction) => ({
    open: asking === action,
    onOpenChange: (next: boolean) => setAsking(next ? action : null),
    destructive: true,
    busy: isPending,
    onConfirm: () => act(action),
  });

  return (
    <div className="flex flex-wrap items-center gap-2">
      {enabled ? (
        <SteadyButton variant="secondary" icon={<PaperPlaneTiltIcon size={16} />} onClick={() => setOpen("sample")}>
          {t("sample")}
        </SteadyButton>
      ) : (
        <Button variant="primary" loading={isPending} onClick={() => act("enable")}>
          {t("enable")}
        </Button>
      )}
      <RowMenu
        label={t("more")}
        variant="secondary"
        actions={[
          { label: t("edit"), icon: PencilSimpleIcon, onClick: () => setOpen("edit") },
          { label: t("rotate"), icon: KeyIcon, onClick: () => setOpen("rotate") },
          enabled && { label: t("redeliver"), icon: ArrowClockwiseIcon, onClick: () => setOpen("redeliver") },
          enabled && { label: t("disable"), icon: ProhibitIcon, onClick: () => setAsking("disable") },
          { label: t("delete"), icon: TrashIcon, destructive: true, onClick: () => setAsking("remove") },
        ]}
      />
      <Sheet open={open !== null} onOpenChange={close} title={open ? t(`sheets.${open}`) : ""}>
        {open === "edit" && <EditEndpoint endpoint={endpoint} onSaved={close} />}
        {open === "sample" && <SendSample id={id} onSent={close} />}
        {open === "rotate" && <RotateSecret id={id} onDone={close} />}
        {open === "redeliver" && <RedeliverFailed id={id} onDone={close} />}
      </Sheet>
      <ConfirmAction {...confirm("disable")} title={t("disableTitle")} action={t("disable")}>
        <p>{t("disableText")}</p>
        <p>{t("disableMore")}</p>
      </ConfirmAction>
      <ConfirmAction {...confirm("remove")} title={t("deleteTitle")} action={t("delete")}>
        <p>{t("deleteText")}</p>
      </ConfirmAction>
    </div>
  );
}
