import { ArrowClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ArrowClockwise";
import { KeyIcon } from "@phosphor-icons/react/dist/ssr/Key";
import { PaperPlaneTiltIcon } from "@phosphor-icons/react/dist/ssr/PaperPlaneTilt";
import { PencilSimpleIcon } from "@phosphor-icons/react/dist/ssr/PencilSimple";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { TrashIcon } from "@phosphor-icons/react/dist/ssr/Trash";
import { useRouter } from "next/navigation";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import { onDemand } from "@/components/ui/on-demand";
import { RowMenu } from "@/components/ui/row-menu";
import { useToasts } from "@/components/ui/toasts";
import type { WebhookEndpoint } from "@/lib/resources/webhook-endpoints/contract";
import { type EndpointAction, useEndpointAction } from "@/lib/resources/webhook-endpoints/queries";

const EditEndpoint = onDemand(() => import("./endpoint-form").then(({ EditEndpoint }) => EditEndpoint));
const RedeliverFailed = onDemand(() => import("./redeliver-failed").then(({ RedeliverFailed }) => RedeliverFailed));
const RotateSecret = onDemand(() => import("./rotate-secret").then(({ RotateSecret }) => RotateSecret));
const SendSample = onDemand(() => import("./send-sample").then(({ SendSample }) => SendSample));

export function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const t = useTranslations("webhooks.actions");
  const { _id: id, url, status } = endpoint;
  const { openSheet, confirm } = useDialogs();
  const act = useEndpointAction(id);
  const toasts = useToasts();
  const router = useRouter();
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
        if (await report("remove")) router.push("/developers/webhooks");
      },
    });

  return (
    <div className="flex flex-wrap items-center gap-2">
      {enabled ? (
        <Button
          key="sample"
          variant="secondary"
          icon={<PaperPlaneTiltIcon size={16} />}
          className="ignores-double-click"
          onClick={() => open("sample")}
        >
          {t("sample")}
        </Button>
      ) : (
        <Button key="enable" variant="primary" loading={act.isPending} onClick={() => void report("enable")}>
          {t("enable")}
        </Button>
      )}
      <RowMenu
        label={t("more")}
        variant="secondary"
        actions={[
          { label: t("edit"), icon: PencilSimpleIcon, edits: true, onClick: () => open("edit") },
          { label: t("rotate"), icon: KeyIcon, onClick: () => open("rotate") },
          enabled && { label: t("redeliver"), icon: ArrowClockwiseIcon, onClick: () => open("redeliver") },
          enabled && { label: t("disable"), icon: ProhibitIcon, onClick: () => void askToDisable() },
          { label: t("delete"), icon: TrashIcon, destructive: true, onClick: () => void askToDelete() },
        ]}
      />
    </div>
  );
}
