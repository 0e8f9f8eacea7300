import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { TrashIcon } from "@phosphor-icons/react/dist/ssr/Trash";
import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { TextInput } from "@/components/ui/field";
import { type Annotated, EditForm } from "./editing";

interface Entry {
  /** React's key of the row. */
  id: number;
  key: string;
  value: string;
}

const entriesOf = (metadata: Record<string, string>): Entry[] =>
  Object.entries(metadata)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value], id) => ({ id, key, value }));

const isBlank = ({ key, value }: Entry): boolean => key.trim() === "" && value === "";

export function MetadataForm({ endpoint, resource, onDone }: Annotated & { onDone: () => void }) {
  const t = useTranslations("annotations.metadata");
  const [was] = useState(resource.metadata);
  const [entries, setEntries] = useState(() => {
    const known = entriesOf(was);
    return known.length > 0 ? known : [{ id: 0, key: "", value: "" }];
  });
  const list = useRef<HTMLFieldSetElement>(null);
  const nextId = useRef(entries.length);
  const given = entries.filter((entry) => !isBlank(entry)).map(({ key, value }) => [key.trim(), value] as const);
  const isDirty = JSON.stringify([...given].sort()) !== JSON.stringify(Object.entries(was).sort());

  const inputs = () => [...(list.current?.querySelectorAll("input") ?? [])];
  useEffect(() => {
    const keys = list.current?.querySelectorAll("input");
    keys?.[Math.max(0, keys.length - 2)]?.focus(); // the last key
  }, []);

  /** The changed keys. A key that was removed from the form is null. */
  function toBody() {
    const names = given.map(([key]) => key);
    const twice = names.find((key, index) => names.indexOf(key) !== index);
    if (names.includes("")) return t("nameless");
    if (twice !== undefined) return t("twice", { key: twice });
    const removed = Object.keys(was).filter((key) => !names.includes(key));
    const changed = given.filter(([key, value]) => was[key] !== value);
    return { metadata: Object.fromEntries([...removed.map((key) => [key, null]), ...changed]) };
  }

  const change = (id: number, to: Partial<Entry>) =>
    setEntries((all) => all.map((entry) => (entry.id === id ? { ...entry, ...to } : entry)));

  function add(): void {
    setEntries((all) => [...all, { id: nextId.current++, key: "", value: "" }]);
    setTimeout(() => inputs().at(-2)?.focus());
  }

  function remove(index: number): void {
    setEntries((all) => all.filter((_, at) => at !== index));
    setTimeout(() => (inputs()[Math.max(0, index - 1) * 2] ?? addButton.current)?.focus());
  }

  const addButton = useRef<HTMLButtonElement>(null);
  return (
    <EditForm
      endpoint={endpoint}
      resource={resource}
      label={t("title")}
      saved={t("saved")}
      toBody={toBody}
      isDirty={isDirty}
      onDone={onDone}
    >
      <fieldset ref={list} className="grid gap-2" aria-describedby="metadata-hint">
        <legend className="sr-only">{t("title")}</legend>
        {entries.length > 0 && (
          <div
            aria-hidden
            className="grid grid-cols-[2fr_3fr_2.25rem] gap-2 pointer-coarse:grid-cols-[2fr_3fr_2.75rem] text-sm text-kumo-subtle"
          >
            <span>{t("key")}</span>
            <span>{t("value")}</span>
          </div>
        )}
        {entries.map(({ id, key, value }, index) => (
          <div key={id} className="grid grid-cols-[2fr_3fr_2.25rem] gap-2 pointer-coarse:grid-cols-[2fr_3fr_2.75rem]">
            <TextInput
              aria-label={t("keyOf", { number: String(index + 1) })}
              value={key}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={({ target }) => change(id, { key: target.value })}
            />
            <TextInput
              aria-label={t("valueOf", { number: String(index + 1) })}
              value={value}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => change(id, { value: target.value })}
            />
            <Button
              variant="ghost"
              shape="square"
              icon={<TrashIcon size={16} />}
              aria-label={t("remove", { number: String(index + 1) })}
              onClick={() => remove(index)}
            />
          </div>
        ))}
        <Button
          ref={addButton}
          className="justify-self-start"
          variant="ghost"
          icon={<PlusIcon size={16} />}
          disabled={entries.length >= 20}
          onClick={add}
        >
          {t("addKey")}
        </Button>
        <p id="metadata-hint" className="text-sm leading-snug text-kumo-subtle">
          {t("hint")}
        </p>
      </fieldset>
    </EditForm>
  );
}
