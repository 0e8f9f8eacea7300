import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { CircleIcon } from "@phosphor-icons/react/dist/ssr/Circle";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { createPath } from "@/components/shell/creations";
import { useMay, useMode } from "@/components/shell/may";
import { gatewayPath } from "@/components/shell/no-gateway-bar";
import { CopyButton } from "@/components/ui/copy-button";
import { linkClass, Panel } from "@/components/ui/detail";
import { Link } from "@/components/ui/link";
import { gatewayAccountEndpoints } from "@/lib/resources/gateway-accounts/contract";
import { paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { paymentLinksQueryOptions } from "@/lib/resources/payment-links/queries";
import type { Overview } from "@/lib/resources/reports/contract";
import { useSettings } from "@/lib/resources/settings/queries";
import { openLinks } from "./shown";

const hidden = (chunks: ReactNode) => <span className="sr-only">{chunks}</span>;

/** Hidden once a link is paid in this mode. */
export function Checklist({ first }: { first: Overview["first"] }) {
  const t = useTranslations("overview.checklist");
  const live = useMode() === "live";
  const links = useQuery(paymentLinksQueryOptions(openLinks));
  const link = links.data?.rows[0];
  const where = useMay()(paymentLinkEndpoints.create) ? (
    <Link href={createPath("/payment-links")} className={linkClass}>
      {t("createLink")}
    </Link>
  ) : (
    t("createLinkByOthers")
  );
  return (
    <Panel title={t(live ? "titleLive" : "title")}>
      <ol>
        {live ? (
          <GatewayStep />
        ) : (
          <Step done title={t("business")}>
            {t("businessText")}
          </Step>
        )}
        <Step done={first.payment_link} title={t("link")}>
          {t("linkText")} {!first.payment_link && where}
        </Step>
        <Step done={false} title={t("open")}>
          {link ? (
            <span className="mt-1.5 flex flex-wrap items-center gap-2">
              <a href={link.payment_url} target="_blank" rel="noreferrer" className={linkClass}>
                {t.rich("openLink", { title: link.title, hidden })}
              </a>
              <CopyButton text={link.payment_url} label={t("copyLink", { title: link.title })} />
            </span>
          ) : (
            t("openText")
          )}
        </Step>
        <Step done={false} title={t(live ? "payLive" : "pay")}>
          {t(live ? "payLiveText" : "payText")}
        </Step>
      </ol>
    </Panel>
  );
}

/** Live mode only: test mode has the sandbox. */
function GatewayStep() {
  const t = useTranslations("overview.checklist");
  const done = useSettings().data?.can_take_payments ?? false;
  const how = useMay()(gatewayAccountEndpoints.connect) ? (
    <Link href={gatewayPath} className={linkClass}>
      {t("connect")}
    </Link>
  ) : (
    t("connectByOthers")
  );
  return (
    <Step done={done} title={t("gateway")}>
      {t("gatewayText")} {!done && how}
    </Step>
  );
}

function Step({ done, title, children }: { done: boolean; title: string; children: ReactNode }) {
  const t = useTranslations("overview.checklist");
  const Icon = done ? CheckCircleIcon : CircleIcon;
  return (
    <li className="flex gap-3 border-b border-kumo-hairline px-4 py-3.5 last:border-0">
      <Icon
        size={20}
        weight={done ? "fill" : "regular"}
        className={`mt-px shrink-0 ${done ? "text-kumo-success" : "text-kumo-subtle"}`}
        aria-hidden
      />
      <div className="min-w-0">
        <p className="text-base font-medium text-kumo-strong">{done ? t.rich("done", { title, hidden }) : title}</p>
        <div className="text-base text-kumo-subtle">{children}</div>
      </div>
    </li>
  );
}
