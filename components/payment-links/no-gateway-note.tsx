import { InfoIcon } from "@phosphor-icons/react/dist/ssr/Info";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { gatewayPath } from "@/components/shell/no-gateway-bar";
import { Link } from "@/components/ui/link";
import { gatewayAccountEndpoints } from "@/lib/resources/gateway-accounts/contract";

export function NoGatewayNote() {
  const t = useTranslations("paymentLinks.noGateway");
  const may = useMay();
  return (
    <p className="flex items-start gap-2 rounded-lg bg-kumo-tint px-3 py-2.5 text-base leading-snug text-kumo-default">
      <InfoIcon size={18} className="mt-px shrink-0 text-kumo-subtle" aria-hidden />
      <span className="min-w-0">
        {t("text")}{" "}
        {may(gatewayAccountEndpoints.connect) && (
          <Link href={gatewayPath} className="font-medium text-kumo-strong underline underline-offset-4">
            {t("connect")}
          </Link>
        )}
      </span>
    </p>
  );
}
