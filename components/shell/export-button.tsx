import { DownloadSimpleIcon } from "@phosphor-icons/react/dist/ssr/DownloadSimple";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { saveFile } from "@/components/ui/save-file";
import { useToasts } from "@/components/ui/toasts";
import { download, type QueryOf } from "@/lib/client/call";
import { useMutation } from "@/lib/client/use-mutation";
import type { Endpoint } from "@/lib/http/endpoint";
import { useToday } from "./use-today";

interface ExportButtonProps<E extends Endpoint> {
  endpoint: E;
  /** The list's filters. The file has all rows that they find. */
  query: Readonly<Record<string, string | null | undefined>>;
}

/** Saves a list as a CSV file, named after the list and the day. */
export function ExportButton<E extends Endpoint>({ endpoint, query }: ExportButtonProps<E>) {
  const { cursor: _, ...filters } = query;
  const t = useTranslations("shell.list");
  const toasts = useToasts();
  const today = useToday();
  const name = endpoint.path.split("/")[1];
  const { mutate, isPending } = useMutation({
    mutationFn: () => download(endpoint, { query: { ...filters, bom: "true" } as unknown as QueryOf<E> }),
    onSuccess: (file) => saveFile(file, `${name}-${today}.csv`),
    onError: (error) => toasts.failed(t("exportFailed"), error),
  });
  return (
    <Button variant="secondary" icon={<DownloadSimpleIcon size={16} />} loading={isPending} onClick={() => mutate()}>
      {t("export")}
    </Button>
  );
}
