"use client";

import { MagnifyingGlassIcon } from "@phosphor-icons/react/dist/ssr/MagnifyingGlass";
import { useTranslations } from "use-intl";
import { TextInput } from "@/components/ui/field";
import { intoView } from "@/components/ui/into-view";
import { useRested } from "./use-rested";

interface StatusFilterProps<Status extends string> {
  labels: Record<Status, string>;
  status: Status | undefined;
  onChange: (status: Status | undefined) => void;
}

/** One status or all. */
export function StatusFilter<Status extends string>({ labels, status, onChange }: StatusFilterProps<Status>) {
  const t = useTranslations("shell.list");
  const choices: [Status | undefined, string][] = [
    [undefined, t("all")],
    ...(Object.entries(labels) as [Status, string][]),
  ];
  return (
    <fieldset onFocus={intoView} className="scroll-sideways -mx-4 min-w-0 px-4 py-1 md:mx-0 md:px-0">
      <legend className="sr-only">{t("status")}</legend>
      <div className="inline-flex gap-1">
        {choices.map(([value, label]) => (
          <button
            key={label}
            type="button"
            aria-pressed={status === value}
            onClick={() => onChange(value)}
            className="h-8 rounded-full px-3 text-base whitespace-nowrap text-kumo-subtle hover:text-kumo-default aria-pressed:bg-kumo-base aria-pressed:font-medium aria-pressed:text-kumo-strong aria-pressed:shadow-xs aria-pressed:ring aria-pressed:ring-kumo-line"
          >
            {label}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

interface SearchProps {
  label: string;
  placeholder: string;
  q: string | undefined;
  onSearch: (q: string) => void;
}

/** Free text, sent when the typing rests. */
export function Search({ label, placeholder, q = "", onSearch }: SearchProps) {
  const [typed, setTyped] = useRested(q, onSearch);
  return (
    <search className="relative min-w-0 lg:w-64">
      <MagnifyingGlassIcon
        size={16}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-kumo-subtle"
      />
      <TextInput
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="pl-9"
      />
    </search>
  );
}
