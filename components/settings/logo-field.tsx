import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import { useExplainFailure } from "@/components/ui/explain-failure";
import { useToasts } from "@/components/ui/toasts";
import { useUnsaved } from "@/components/ui/unsaved";
import { ApiFailure } from "@/lib/client/api-failure";
import { brandOf, logoOf } from "@/lib/resources/settings/brand";
import { type Settings, settingsEndpoints } from "@/lib/resources/settings/contract";
import { useRemoveLogo, useSetLogo } from "@/lib/resources/settings/queries";
import { type FittedLogo, fitLogo } from "./fit-logo";
import { LogoPreview } from "./logo-preview";
import { useReadAt } from "./read-at";

export function LogoField({ settings }: { settings: Settings }) {
  const explainFailure = useExplainFailure();
  const t = useTranslations("settings.logo");
  const may = useMay();
  const input = useRef<HTMLInputElement>(null);
  const toasts = useToasts();
  const set = useSetLogo();
  const remove = useRemoveLogo();
  const readAt = useReadAt();
  const [problem, setProblem] = useState<string | null>(null);
  const [chosen, setChosen] = useState<FittedLogo | null>(null);
  useUnsaved(chosen !== null);
  const button = useRef<HTMLButtonElement>(null);
  const logo = logoOf(brandOf(settings));

  const handlers = (done: string) => ({
    onSuccess: ({ updated_at }: Settings) => {
      readAt.current = updated_at;
      toasts.add({ title: done });
    },
    onError: (error: Error) =>
      setProblem((error instanceof ApiFailure && error.errors.image?.[0]) || explainFailure(error)),
  });

  async function choose(file: File | undefined): Promise<void> {
    if (!file) return;
    const fitted = await fitLogo(file);
    const unusable = "problem" in fitted;
    setProblem(unusable ? t(`problems.${fitted.problem}`) : null);
    setChosen(unusable ? null : fitted);
  }

  function close(): void {
    setChosen(null);
    button.current?.focus();
  }

  function save({ image }: FittedLogo): void {
    const { onSuccess, onError } = handlers(t("saved"));
    set.mutate(
      { image, readAt: readAt.current },
      {
        onError,
        onSuccess: (settings) => {
          onSuccess(settings);
          setProblem(null);
          close();
        },
      },
    );
  }

  return (
    <div className="grid gap-1.5">
      <p id="logo" className="text-base font-medium text-kumo-default">
        {t.rich("label", {
          optional: (text) => <span className="ml-1 text-sm font-normal text-kumo-subtle">{text}</span>,
        })}
      </p>
      <div className="flex flex-wrap items-center gap-3">
        {logo ? (
          // biome-ignore lint/performance/noImgElement: a few kilobytes of ours
          <img
            src={logo.path}
            alt={t("alt")}
            width={logo.width}
            height={logo.height}
            className="h-12 w-auto max-w-40 rounded-lg bg-white object-contain p-1 ring ring-kumo-line"
          />
        ) : (
          <span className="grid h-12 w-20 place-items-center rounded-lg bg-white text-sm text-neutral-600 ring ring-kumo-line">
            {t("none")}
          </span>
        )}
        {may(settingsEndpoints.putLogo) && (
          <>
            <input
              ref={input}
              type="file"
              accept="image/*"
              aria-label={t("file")}
              tabIndex={-1}
              className="sr-only"
              onChange={({ target }) => {
                void choose(target.files?.[0]);
                target.value = ""; // lets the user choose the same file again
              }}
            />
            <Button ref={button} variant="secondary" onClick={() => input.current?.click()}>
              {t(logo ? "replace" : "upload")}
            </Button>
            {logo && (
              <Button
                variant="ghost"
                loading={remove.isPending}
                onClick={() => {
                  setProblem(null);
                  remove.mutate(readAt.current, handlers(t("removed")));
                }}
              >
                {t("remove")}
              </Button>
            )}
          </>
        )}
      </div>
      {chosen && <LogoPreview logo={chosen} saving={set.isPending} onSave={() => save(chosen)} onCancel={close} />}
      <p role="status" className={`text-sm leading-snug ${problem ? "text-kumo-danger" : "text-kumo-subtle"}`}>
        {problem ?? t("hint")}
      </p>
    </div>
  );
}
