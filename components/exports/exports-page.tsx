"use client";

import { DownloadSimpleIcon } from "@phosphor-icons/react/dist/ssr/DownloadSimple";
import { useState } from "react";
import { useTimeZone, useTranslations } from "use-intl";
import { useToday } from "@/components/shell/use-today";
import { Button } from "@/components/ui/button";
import { Panel } from "@/components/ui/detail";
import { Field, NativeSelect, TextInput } from "@/components/ui/field";
import { useAddress } from "@/components/ui/list/use-address";
import { isDay } from "@/components/ui/moment";
import { saveFile } from "@/components/ui/save-file";
import { useToasts } from "@/components/ui/toasts";
import { download } from "@/lib/client/call";
import { useMutation } from "@/lib/client/use-mutation";
import { type ExportKind, exportEndpoints, exportKinds } from "@/lib/resources/reports/export-contract";
import { daysOf, type Preset, presets } from "./periods";

interface Period {
  from: string;
  to: string;
}

/** The period in the address, as in links from the overview; empty without one. */
function readPeriod(params: URLSearchParams): { from?: string; to?: string } {
  const [from, to] = [params.get("from") ?? undefined, params.get("to") ?? undefined];
  return isDay(from) && isDay(to) ? { from, to } : {};
}

export function ExportsPage() {
  const t = useTranslations("exports");
  const titles = useTranslations("titles");
  const zone = useTimeZone() ?? "UTC";
  const today = useToday();
  const { filter, show } = useAddress(readPeriod);
  const [preset, setPreset] = useState<Preset>("lastMonth");
  const period = { ...daysOf(preset, today), ...filter };
  const inOrder = period.from <= period.to;
  const set = (change: Partial<Period>) => show({ ...period, ...change }, "replace");
  return (
    <>
      <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">{titles("exports")}</h1>
      <p className="mt-1 mb-5 max-w-2xl text-base leading-relaxed text-pretty text-kumo-subtle">
        {t("lead", { zone })}
      </p>
      <div className="mb-5 grid max-w-2xl grid-cols-1 gap-3 sm:grid-cols-3">
        <Field label={t("period")}>
          {(control) => (
            <NativeSelect
              {...control}
              value={filter.from ? "custom" : preset}
              onChange={({ target }) => {
                const chosen = presets.find((name) => name === target.value);
                if (chosen) setPreset(chosen);
                show(chosen ? {} : period, "replace");
              }}
            >
              {[...presets, "custom" as const].map((name) => (
                <option key={name} value={name}>
                  {t(`periods.${name}`)}
                </option>
              ))}
            </NativeSelect>
          )}
        </Field>
        <DayField label={t("from")} value={period.from} onChange={(from) => set({ from })} />
        <DayField
          label={t("to")}
          value={period.to}
          error={inOrder ? undefined : t("wrongOrder")}
          onChange={(to) => set({ to })}
        />
      </div>
      <Panel title={t("files")}>
        <ul>
          {exportKinds.map((kind) => (
            <li
              key={kind}
              className="flex items-center justify-between gap-x-6 gap-y-2 border-b border-kumo-hairline px-4 py-3 last:border-0"
            >
              <div className="min-w-0">
                <p className="text-base font-medium text-kumo-strong">{t(`file.${kind}.name`)}</p>
                <p className="text-sm text-kumo-subtle">{t(`file.${kind}.text`)}</p>
              </div>
              <Download kind={kind} period={period} disabled={!inOrder} />
            </li>
          ))}
        </ul>
      </Panel>
    </>
  );
}

interface DayFieldProps {
  label: string;
  value: string;
  error?: string;
  onChange: (day: string) => void;
}

/** While it has the focus it keeps what is typed: a day that is typed in part is none, and the address follows later. */
function DayField({ label, value, error, onChange }: DayFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Field label={label} error={error}>
      {(control) => (
        <TextInput
          {...control}
          type="date"
          value={typed ?? value}
          onChange={({ target }) => {
            setTyped(target.value);
            if (target.value) onChange(target.value);
          }}
          onBlur={() => setTyped(null)}
        />
      )}
    </Field>
  );
}

function Download({ kind, period, disabled }: { kind: ExportKind; period: Period; disabled: boolean }) {
  const t = useTranslations("exports");
  const toasts = useToasts();
  const { mutate, isPending } = useMutation({
    mutationFn: ({ from, to }: Period) =>
      download(exportEndpoints.export, { query: { what: kind, from, to, bom: "true" } }),
    onSuccess: (file, { from, to }) => saveFile(file, `${kind}-${from}-to-${to}.csv`),
    onError: (error) => toasts.failed(t("failed"), error),
  });
  return (
    <Button
      variant="secondary"
      icon={<DownloadSimpleIcon size={16} />}
      aria-label={t("downloadOf", { file: t(`file.${kind}.name`) })}
      loading={isPending}
      disabled={disabled}
      onClick={() => mutate(period)}
    >
      {t("download")}
    </Button>
  );
}
