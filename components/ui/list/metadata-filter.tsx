import { useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { Field, TextInput } from "@/components/ui/field";
import { maxKeyLength, maxValueLength } from "@/lib/core/metadata-key";
import { metadataFilterName, metadataKeyOf } from "./filter";

interface MetadataFilterProps {
  onAdd: (name: string, value: string) => void;
}

/** Adds a filter by a key and its whole value; a chip shows it. A key that is set gets the new value. */
export function MetadataFilter({ onAdd }: MetadataFilterProps) {
  const t = useTranslations("shell.list.metadata");
  const [key, setKey] = useState("");
  const [value, setValue] = useState("");
  const [tried, setTried] = useState(false);
  const name = metadataFilterName(key.trim());
  const keyProblem = key.trim() === "" ? t("keyMissing") : metadataKeyOf(name) ? undefined : t("keyInvalid");
  const valueProblem = value.trim() === "" ? t("valueMissing") : undefined;

  function add(): void {
    setTried(true);
    if (keyProblem || valueProblem) return;
    onAdd(name, value.trim());
    setTried(false);
    setKey("");
    setValue("");
  }

  return (
    <form
      aria-label={t("label")}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
      className="col-span-full grid min-w-0 grid-cols-1 items-start gap-3 min-[22rem]:grid-cols-2 sm:grid-cols-[1fr_1fr_auto] lg:max-w-2xl"
    >
      <Field label={t("key")} error={tried ? keyProblem : undefined}>
        {(control) => (
          <TextInput
            {...control}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={maxKeyLength}
            value={key}
            onChange={({ target }) => setKey(target.value)}
          />
        )}
      </Field>
      <Field label={t("value")} error={tried ? valueProblem : undefined}>
        {(control) => (
          <TextInput
            {...control}
            autoComplete="off"
            spellCheck={false}
            maxLength={maxValueLength}
            value={value}
            onChange={({ target }) => setValue(target.value)}
          />
        )}
      </Field>
      <Button type="submit" variant="secondary" className="sm:mt-7">
        {t("add")}
      </Button>
    </form>
  );
}
