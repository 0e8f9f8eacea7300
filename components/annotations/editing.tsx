import { PencilSimpleIcon } from "@phosphor-icons/react/dist/ssr/PencilSimple";
import { type FormEvent, type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useExplainFailure } from "@/components/ui/explain-failure";
import { Saving } from "@/components/ui/saving";
import { useToasts } from "@/components/ui/toasts";
import { useUnsaved } from "@/components/ui/unsaved";
import { ApiFailure } from "@/lib/client/api-failure";
import type { AnnotationEndpoint, Annotations, AnnotationsBody } from "@/lib/resources/annotations/contract";
import { useAnnotate } from "@/lib/resources/annotations/queries";

/** Whether a panel is being edited. Afterwards, its edit button gets the focus back. */
export function useEditing() {
  const [editing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return {
    editing,
    button,
    edit: () => setEditing(true),
    stop: () => {
      setEditing(false);
      setTimeout(() => button.current?.focus()); // once it is shown again
    },
  };
}

interface EditButtonProps {
  button: RefObject<HTMLButtonElement | null>;
  onClick: () => void;
  children: string;
}

export const EditButton = ({ button, onClick, children }: EditButtonProps) => (
  <Button ref={button} variant="ghost" className="-mr-2" icon={<PencilSimpleIcon size={16} />} onClick={onClick}>
    {children}
  </Button>
);

export interface Annotated {
  /** Of the resource: what changes its metadata and notes. */
  endpoint: AnnotationEndpoint;
  resource: Annotations & { _id: string };
}

interface EditFormProps extends Annotated {
  label: string;
  saved: string;
  /** The body to send, or the text of the error if the form is not valid. */
  toBody: () => AnnotationsBody | string;
  isDirty: boolean;
  /** Returns the error's text when the resource has changed since it was read (412). */
  onConflict?: () => string;
  onDone: () => void;
  children: ReactNode;
}

/** A form in a panel. Control or Command with Enter saves, Escape cancels if nothing was changed. */
export function EditForm(props: EditFormProps) {
  const { endpoint, resource, label, saved, toBody, isDirty, onConflict, onDone, children } = props;
  const t = useTranslations("annotations");
  const explain = useExplainFailure();
  const toasts = useToasts();
  const annotate = useAnnotate(endpoint, resource._id);
  const [problem, setProblem] = useState<string | null>(null);
  useUnsaved(isDirty);

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (annotate.isPending) return;
    if (!isDirty) return onDone();
    const body = toBody();
    if (typeof body === "string") return setProblem(body);
    setProblem(null);
    try {
      await annotate.mutateAsync(body);
      toasts.add({ title: saved });
      onDone();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const conflict = error instanceof ApiFailure && error.status === 412 && onConflict;
      setProblem(conflict ? conflict() : explain(error));
    }
  }

  function onKeyDown(event: KeyboardEvent<HTMLFormElement>): void {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
    else if (event.key === "Escape" && !isDirty && !event.nativeEvent.isComposing) {
      event.stopPropagation(); // the side peek stays open
      event.preventDefault();
      onDone();
    }
  }

  return (
    <form noValidate aria-label={label} className="grid gap-3 px-4 py-4" onSubmit={save} onKeyDown={onKeyDown}>
      <Alert>{problem}</Alert>
      <Saving value={annotate.isPending}>{children}</Saving>
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>{t("cancel")}</Button>
        <Button type="submit" variant="primary" loading={annotate.isPending}>
          {t("save")}
        </Button>
      </div>
    </form>
  );
}
