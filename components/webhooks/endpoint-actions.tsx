"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { DropdownMenu } from "@cloudflare/kumo/components/dropdown";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { ArrowClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ArrowClockwise";
import { KeyIcon } from "@phosphor-icons/react/dist/ssr/Key";
import { PaperPlaneTiltIcon } from "@phosphor-icons/react/dist/ssr/PaperPlaneTilt";
import { PencilSimpleIcon } from "@phosphor-icons/react/dist/ssr/PencilSimple";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { TrashIcon } from "@phosphor-icons/react/dist/ssr/Trash";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmAction } from "@/components/shell/confirm-action";
import { RowMenu } from "@/components/shell/row-menu";
import { explainFailure } from "@/components/ui/explain-failure";
import { Sheet } from "@/components/ui/sheet";
import type { WebhookEndpoint } from "@/lib/webhooks/contract";
import { type EndpointAction, useEndpointAction } from "@/lib/webhooks/queries";
import { EditEndpoint } from "./endpoint-form";
import { RedeliverFailed } from "./redeliver-failed";
import { RotateSecret } from "./rotate-secret";
import { SendSample } from "./send-sample";

const done = { enable: "Enabled", disable: "Disabled", remove: "Deleted" } as const;
const sheets = {
  edit: "Edit endpoint",
  sample: "Send a sample",
  rotate: "Rotate the secret",
  redeliver: "Redeliver what has failed",
} as const;

/** What can be done with an endpoint. */
export function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { _id: id, url, status } = endpoint;
  const [open, setOpen] = useState<keyof typeof sheets | null>(null);
  const [asking, setAsking] = useState<EndpointAction | null>(null);
  const { mutate, isPending } = useEndpointAction(id);
  const toasts = useKumoToastManager();
  const router = useRouter();
  const enabled = status === "enabled";
  const close = () => setOpen(null);

  function act(action: EndpointAction): void {
    mutate(action, {
      onSuccess: () => {
        toasts.add({ title: `${done[action]}: ${url}` });
        if (action === "remove") router.push("/developers/webhooks");
      },
      onError: (error) =>
        toasts.add({ title: "That did not work", description: explainFailure(error), variant: "error" }),
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
        <Button variant="secondary" icon={<PaperPlaneTiltIcon size={16} />} onClick={() => setOpen("sample")}>
          Send a sample
        </Button>
      ) : (
        <Button variant="primary" loading={isPending} onClick={() => act("enable")}>
          Enable
        </Button>
      )}
      <RowMenu label="More for this endpoint" variant="secondary">
        <DropdownMenu.Item icon={PencilSimpleIcon} onClick={() => setOpen("edit")}>
          Edit
        </DropdownMenu.Item>
        <DropdownMenu.Item icon={KeyIcon} onClick={() => setOpen("rotate")}>
          Rotate the secret
        </DropdownMenu.Item>
        {enabled && (
          <DropdownMenu.Item icon={ArrowClockwiseIcon} onClick={() => setOpen("redeliver")}>
            Redeliver what has failed
          </DropdownMenu.Item>
        )}
        {enabled && (
          <DropdownMenu.Item icon={ProhibitIcon} onClick={() => setAsking("disable")}>
            Disable
          </DropdownMenu.Item>
        )}
        <DropdownMenu.Item icon={TrashIcon} variant="danger" onClick={() => setAsking("remove")}>
          Delete
        </DropdownMenu.Item>
      </RowMenu>
      <Sheet open={open !== null} onOpenChange={close} title={open ? sheets[open] : ""}>
        {open === "edit" && <EditEndpoint endpoint={endpoint} onSaved={close} />}
        {open === "sample" && <SendSample id={id} onSent={close} />}
        {open === "rotate" && <RotateSecret id={id} onDone={close} />}
        {open === "redeliver" && <RedeliverFailed id={id} onDone={close} />}
      </Sheet>
      <ConfirmAction {...confirm("disable")} title="Disable this endpoint?" action="Disable">
        <p>What waits to be delivered to it fails, and what happens from now on is not kept for it.</p>
        <p>What has failed can be redelivered when it is enabled again.</p>
      </ConfirmAction>
      <ConfirmAction {...confirm("remove")} title="Delete this endpoint?" action="Delete">
        <p>Nothing is delivered to it any more, and its deliveries disappear. This cannot be undone.</p>
      </ConfirmAction>
    </div>
  );
}
