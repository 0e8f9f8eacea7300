import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Panel } from "@/components/ui/detail";
import { Field, TextArea } from "@/components/ui/field";
import type { Annotated } from "./annotation-panels";
import { EditButton, EditForm, useEditing } from "./editing";

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
  const [was] = useState(resource.notes ?? "");
  const [text, setText] = useState(was);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    area.current?.focus();
    area.current?.setSelectionRange(was.length, was.length);
  }, [was]);
  return (
    <EditForm
      endpoint={endpoint}
      resource={resource}
      label={t("title")}
      saved={t("saved")}
      toBody={() => ({ notes: text })}
      isDirty={text !== was}
      onDone={onDone}
    >
      <Field label={t("label")} hint={t("hint")}>
        {(control) => (
          <TextArea {...control} rows={5} value={text} onChange={({ target }) => setText(target.value)} ref={area} />
        )}
      </Field>
    </EditForm>
  );
}
