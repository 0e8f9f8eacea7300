"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { DownloadSimpleIcon } from "@phosphor-icons/react/dist/ssr/DownloadSimple";
import { useMutation } from "@tanstack/react-query";
import { explainFailure } from "@/components/ui/explain-failure";
import { download } from "@/lib/api/client";
import { paymentLinkCsvEndpoints } from "@/lib/payment-links/csv-contract";
import type { PaymentLinkFilter } from "@/lib/payment-links/queries";
import { saveFile } from "./save-file";

/** Every row that the filters find, not only the page that is shown. */
export function ExportButton({ query }: { query: Omit<PaymentLinkFilter, "cursor"> }) {
  const toasts = useKumoToastManager();
  const { mutate, isPending } = useMutation({
    mutationFn: () => download(paymentLinkCsvEndpoints.export, { query: { ...query, bom: "true" } }),
    onSuccess: (file) => saveFile(file, `payment-links-${new Date().toISOString().slice(0, 10)}.csv`),
    onError: (error) =>
      toasts.add({ title: "The export did not work", description: explainFailure(error), variant: "error" }),
  });
  return (
    <Button variant="secondary" icon={<DownloadSimpleIcon size={16} />} loading={isPending} onClick={() => mutate()}>
      Export CSV
    </Button>
  );
}
