"use client";

import { InfoIcon } from "@phosphor-icons/react/dist/ssr/Info";
import { useTranslations } from "use-intl";
import { Link } from "@/components/ui/link";
import { gatewayAccountEndpoints } from "@/lib/resources/gateway-accounts/contract";
import { useSettings } from "@/lib/resources/settings/queries";
import { useMay } from "./may";

export const gatewayPath = "/settings#gateway";

export function NoGatewayBar() {
  const t = useTranslations("shell.noGateway");
  const may = useMay();
  if (useSettings().data?.can_take_payments !== false) return null;
  return (
    <div className="flex items-start gap-2 border-t border-kumo-hairline bg-kumo-tint px-4 py-2 text-sm text-kumo-default md:px-6">
      <InfoIcon size={16} className="mt-px shrink-0 text-kumo-subtle" aria-hidden />
      <p className="min-w-0">
        {t("text")}{" "}
        {may(gatewayAccountEndpoints.connect) ? (
          <Link href={gatewayPath} className="font-medium text-kumo-strong underline underline-offset-4">
            {t("connect")}
          </Link>
        ) : (
          t("ask")
        )}
      </p>
    </div>
  );
}
