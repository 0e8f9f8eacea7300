import { DownloadSimpleIcon } from "@phosphor-icons/react/dist/ssr/DownloadSimple";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { useToasts } from "@/components/ui/toasts";
import { download } from "@/lib/client/call";
import { useMutation } from "@/lib/client/use-mutation";
import { paymentLinkCsvEndpoints } from "@/lib/resources/payment-links/csv-contract";
import type { PaymentLinkFilter } from "@/lib/resources/payment-links/queries";
import { saveFile } from "./save-file";

export function ExportButton({ query }: { query: Omit<PaymentLinkFilter, "cursor"> }) {
  const t = useTranslations("paymentLinks.list");
  const toasts = useToasts();
  const { mutate, isPending } = useMutation({
    mutationFn: () => download(paymentLinkCsvEndpoints.export, { query: { ...query, bom: "true" } }),
    onSuccess: (file) => saveFile(file, `payment-links-${new Date().toISOString().slice(0, 10)}.csv`),
    onError: (error) => toasts.failed(t("exportFailed"), error),
  });
  return (
    <Button variant="secondary" icon={<DownloadSimpleIcon size={16} />} loading={isPending} onClick={() => mutate()}>
      {t("export")}
    </Button>
  );
}
