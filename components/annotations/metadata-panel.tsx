import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { CopyButton } from "@/components/ui/copy-button";
import { Panel } from "@/components/ui/detail";
import { type Annotated, EditButton, useEditing } from "./editing";
import { MetadataForm } from "./metadata-form";

export function MetadataPanel({ endpoint, resource }: Annotated) {
  const t = useTranslations("annotations.metadata");
  const may = useMay()(endpoint);
  const { editing, button, edit, stop } = useEditing();
  const entries = Object.entries(resource.metadata).sort(([a], [b]) => (a < b ? -1 : 1));
  return (
    <Panel
      title={t("title")}
      action={
        may &&
        !editing && (
          <EditButton button={button} onClick={edit}>
            {t(entries.length === 0 ? "add" : "edit")}
          </EditButton>
        )
      }
    >
      {editing ? (
        <MetadataForm endpoint={endpoint} resource={resource} onDone={stop} />
      ) : entries.length === 0 ? (
        <p className="px-4 py-4 text-base text-kumo-subtle">{t(may ? "empty" : "emptyReadOnly")}</p>
      ) : (
        <dl className="divide-y divide-kumo-hairline">
          {entries.map(([key, value]) => (
            <div key={key} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-center gap-x-4 px-4 py-1.5">
              <dt className="font-mono text-xs wrap-anywhere text-kumo-subtle">{key}</dt>
              <dd className="flex items-center justify-between gap-2 text-base text-kumo-default">
                <span className="min-w-0 wrap-anywhere whitespace-pre-line">{value}</span>
                <CopyButton text={value} label={t("copy", { key })} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  );
}
