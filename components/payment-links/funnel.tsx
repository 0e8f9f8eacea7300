import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { CircleDashedIcon } from "@phosphor-icons/react/dist/ssr/CircleDashed";
import { TrayIcon } from "@phosphor-icons/react/dist/ssr/Tray";
import { WarningCircleIcon } from "@phosphor-icons/react/dist/ssr/WarningCircle";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useRefetchAfter } from "@/components/timeline/timeline";
import { Panel } from "@/components/ui/detail";
import { LoadFailure } from "@/components/ui/list/list-frame";
import { Moment } from "@/components/ui/moment";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import type { PaymentLinkFunnel } from "@/lib/resources/payment-links/funnel-contract";
import { funnelQueryOptions } from "@/lib/resources/payment-links/queries";

interface FunnelProps {
  link: PaymentLink;
  /** When the link was last fetched, in ms. The funnel is fetched again after it. */
  asOf: number;
}

/** How far the payer of a link has come: sent, opened, tried, paid. */
export function Funnel({ link, asOf }: FunnelProps) {
  const t = useTranslations("paymentLinks.funnel");
  const funnel = useQuery(funnelQueryOptions(link._id));
  useRefetchAfter(asOf, funnel.refetch);
  return (
    <Panel title={t("title")}>
      {funnel.isError && !funnel.data ? (
        <div className="p-4">
          <LoadFailure of="single.funnel" query={funnel} />
        </div>
      ) : (
        <ol aria-busy={funnel.isPending} className="grid grid-cols-2 gap-x-6 gap-y-4 px-4 py-4 sm:grid-cols-4">
          <Sent sent={funnel.data?.sent} livemode={link.livemode} />
          {(["opened", "tried"] as const).map((name) => {
            const step = funnel.data?.[name];
            return (
              <Step key={name} label={t(`steps.${name}`)} state={step && step.count > 0 ? "done" : "open"}>
                {step && (step.count > 0 ? <Times {...step} /> : t(`never.${name}`))}
              </Step>
            );
          })}
          <Step label={t("steps.paid")} state={link.paid_at ? "done" : "open"}>
            {link.paid_at ? <Moment at={link.paid_at} time /> : t("never.paid")}
          </Step>
        </ol>
      )}
    </Panel>
  );
}

function Sent({ sent, livemode }: { sent: PaymentLinkFunnel["sent"] | undefined; livemode: boolean }) {
  const t = useTranslations("paymentLinks.funnel");
  const status = sent?.status;
  const failed = status === "failed" || status === "dropped";
  const kept = status === "outbox";
  return (
    <Step label={t("steps.sent")} state={failed ? "failed" : kept ? "kept" : sent && sent.count > 0 ? "done" : "open"}>
      {(failed || status === "queued") && <span className="block">{t(`mail.${status}`)}</span>}
      {kept && <span className="block">{t(livemode ? "noServer" : "testMode")}</span>}
      {sent && sent.count > 0 ? <Times {...sent} /> : status === null && t("never.sent")}
    </Step>
  );
}

const icons = {
  done: { Icon: CheckCircleIcon, tone: "text-kumo-success" },
  open: { Icon: CircleDashedIcon, tone: "text-kumo-subtle" },
  kept: { Icon: TrayIcon, tone: "text-kumo-subtle" },
  failed: { Icon: WarningCircleIcon, tone: "text-kumo-danger" },
} as const;

function Step({ label, state, children }: { label: string; state: keyof typeof icons; children: ReactNode }) {
  const { Icon, tone } = icons[state];
  return (
    <li className="flex min-w-0 items-start gap-2">
      <Icon
        size={18}
        aria-hidden
        weight={state === "done" ? "fill" : "regular"}
        className={`mt-0.5 shrink-0 ${tone}`}
      />
      <div className="min-w-0">
        <h3 className={`text-base font-medium ${state === "open" ? "text-kumo-subtle" : "text-kumo-strong"}`}>
          {label}
        </h3>
        <p className="min-h-5 text-sm wrap-anywhere text-kumo-subtle">{children}</p>
      </div>
    </li>
  );
}

function Times({ count, count_is_lower_bound: atLeast, last_at: at }: PaymentLinkFunnel["opened"]) {
  const t = useTranslations("paymentLinks.funnel");
  const when = () => (at ? <Moment at={at} time /> : null);
  if (count === 1) return t.rich("once", { when });
  return t.rich("last", { times: t(atLeast ? "timesAtLeast" : "times", { count }), when });
}
