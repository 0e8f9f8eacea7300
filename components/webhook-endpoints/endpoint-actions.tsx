import { ArrowClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ArrowClockwise";
import { KeyIcon } from "@phosphor-icons/react/dist/ssr/Key";
import { PaperPlaneTiltIcon } from "@phosphor-icons/react/dist/ssr/PaperPlaneTilt";
import { PencilSimpleIcon } from "@phosphor-icons/react/dist/ssr/PencilSimple";
import { PlayIcon } from "@phosphor-icons/react/dist/ssr/Play";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { TrashIcon } from "@phosphor-icons/react/dist/ssr/Trash";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { useLeaveDeleted } from "@/components/shell/use-leave-deleted";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import type { RowAction } from "@/components/ui/menu-popup";
import { onDemand } from "@/components/ui/on-demand";
import { RowMenu } from "@/components/ui/row-menu";
import { useToasts } from "@/components/ui/toasts";
import { type WebhookEndpoint, webhookEndpointEndpoints } from "@/lib/resources/webhook-endpoints/contract";
import { type EndpointAction, useEndpointAction } from "@/lib/resources/webhook-endpoints/queries";

const EditEndpoint = onDemand(() => import("./endpoint-form").then(({ EditEndpoint }) => EditEndpoint));
const RedeliverFailed = onDemand(() => import("./redeliver-failed").then(({ RedeliverFailed }) => RedeliverFailed));
const RotateSecret = onDemand(() => import("./rotate-secret").then(({ RotateSecret }) => RotateSecret));
const SendSample = onDemand(() => import("./send-sample").then(({ SendSample }) => SendSample));

function useEndpointActions(endpoint: WebhookEndpoint, onRemoved?: () => void) {
  const t = useTranslations("webhooks.actions");
  const { _id: id, url, status } = endpoint;
  const { openSheet, confirm } = useDialogs();
  const act = useEndpointAction(id);
  const toasts = useToasts();
  const enabled = status === "enabled";

  const report = (action: EndpointAction) =>
    toasts.report(act.mutateAsync(action), { done: t(`done.${action}`, { url }), failed: t("failed") });
  const sheets = {
    edit: (close: () => void) => <EditEndpoint endpoint={endpoint} onSaved={close} />,
    sample: (close: () => void) => <SendSample id={id} onSent={close} />,
    rotate: (close: () => void) => <RotateSecret id={id} onDone={close} />,
    redeliver: (close: () => void) => <RedeliverFailed id={id} onDone={close} />,
  };
  const open = (name: keyof typeof sheets) => openSheet({ title: t(`sheets.${name}`), content: sheets[name] });

  const askToDisable = () =>
    confirm({
      title: t("disableTitle"),
      body: (
        <>
          <p>{t("disableText")}</p>
          <p>{t("disableMore")}</p>
        </>
      ),
      action: t("disable"),
      destructive: true,
      run: () => report("disable"),
    });
  const askToDelete = () =>
    confirm({
      title: t("deleteTitle"),
      body: <p>{t("deleteText")}</p>,
      action: t("delete"),
      destructive: true,
      run: async () => {
        if (await report("remove")) onRemoved?.();
      },
    });

  const sample = { label: t("sample"), icon: PaperPlaneTiltIcon, onClick: () => open("sample") };
  const enable = { label: t("enable"), icon: PlayIcon, onClick: () => void report("enable") };
  const others: (RowAction | false)[] = [
    { label: t("edit"), icon: PencilSimpleIcon, edits: true, onClick: () => open("edit") },
    { label: t("rotate"), icon: KeyIcon, onClick: () => open("rotate") },
    enabled && { label: t("redeliver"), icon: ArrowClockwiseIcon, onClick: () => open("redeliver") },
    enabled && { label: t("disable"), icon: ProhibitIcon, onClick: () => void askToDisable() },
    { label: t("delete"), icon: TrashIcon, destructive: true, onClick: () => void askToDelete() },
  ];
  return { sample, enable, others, enabled, busy: act.isPending };
}

/** All actions, for a row of the list. */
export function EndpointMenu({ endpoint }: { endpoint: WebhookEndpoint }) {
  const t = useTranslations("webhooks.actions");
  const { sample, enable, others, enabled } = useEndpointActions(endpoint);
  if (!useMay()(webhookEndpointEndpoints.update)) return null;
  return <RowMenu label={t("moreOf", { url: endpoint.url })} actions={[enabled ? sample : enable, ...others]} />;
}

/** The actions on the endpoint's page, and in the side peek. */
export function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const t = useTranslations("webhooks.actions");
  const leave = useLeaveDeleted("/developers/webhooks");
  const { sample, enable, others, enabled, busy } = useEndpointActions(endpoint, leave);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {enabled ? (
        <Button
          key="sample"
          variant="secondary"
          icon={<PaperPlaneTiltIcon size={16} />}
          className="ignores-double-click"
          onClick={sample.onClick}
        >
          {sample.label}
        </Button>
      ) : (
        <Button key="enable" variant="primary" loading={busy} onClick={enable.onClick}>
          {enable.label}
        </Button>
      )}
      <RowMenu label={t("more")} variant="secondary" actions={others} />
    </div>
  );
}
