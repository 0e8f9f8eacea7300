import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Panel } from "@/components/ui/detail";
import { Field, TextArea } from "@/components/ui/field";
import { type Annotated, EditButton, EditForm, useEditing } from "./editing";

export function NotesPanel({ endpoint, resource }: Annotated) {
  const t = useTranslations("annotations.notes");
  const may = useMay()(endpoint);
  const { editing, button, edit, stop } = useEditing();
  const { notes } = resource;
  return (
    <Panel
      title={t("title")}
      action={
        may &&
        !editing && (
          <EditButton button={button} onClick={edit}>
            {t(notes === null ? "add" : "edit")}
          </EditButton>
        )
      }
    >
      {editing ? (
        <NotesForm endpoint={endpoint} resource={resource} onDone={stop} />
      ) : (
        <p className={`px-4 py-4 text-base wrap-anywhere whitespace-pre-line ${notes ? "" : "text-kumo-subtle"}`}>
          {notes ?? t(may ? "empty" : "emptyReadOnly")}
        </p>
      )}
    </Panel>
  );
}

function NotesForm({ endpoint, resource, onDone }: Annotated & { onDone: () => void }) {
  const t = useTranslations("annotations.notes");
  const [opened] = useState(resource.notes ?? "");
  const [text, setText] = useState(opened);
  /** After a conflict the current notes are shown, and saving again replaces them. */
  const [conflict, setConflict] = useState(false);
  const was = conflict ? (resource.notes ?? "") : opened;
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    area.current?.focus();
    area.current?.setSelectionRange(opened.length, opened.length);
  }, [opened]);
  return (
    <EditForm
      endpoint={endpoint}
      resource={resource}
      label={t("title")}
      saved={t("saved")}
      toBody={() => ({ notes: text, previous_notes: was })}
      isDirty={text !== was}
      onConflict={() => {
        setConflict(true);
        return t("conflict");
      }}
      onDone={onDone}
    >
      {conflict && (
        <section aria-label={t("current")} className="rounded-lg bg-kumo-recessed px-3 py-2.5">
          <h3 className="text-sm font-medium text-kumo-subtle">{t("current")}</h3>
          <p className="text-base wrap-anywhere whitespace-pre-line">{resource.notes ?? t("emptyReadOnly")}</p>
        </section>
      )}
      <Field label={t("label")} hint={t("hint")}>
        {(control) => (
          <TextArea {...control} rows={5} value={text} onChange={({ target }) => setText(target.value)} ref={area} />
        )}
      </Field>
    </EditForm>
  );
}
