import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import { useExplainFailure } from "@/components/ui/explain-failure";
import { useToasts } from "@/components/ui/toasts";
import { ApiFailure } from "@/lib/client/call";
import { logoOf } from "@/lib/resources/settings/brand";
import { brandOf, maxLogoBytes, type Settings, settingsEndpoints } from "@/lib/resources/settings/contract";
import { useRemoveLogo, useSetLogo } from "@/lib/resources/settings/queries";
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
    if (file.size > maxLogoBytes) return setProblem(t("tooLarge"));
    setProblem(null);
    set.mutate({ image: await base64Of(file), readAt: readAt.current }, handlers(t("saved")));
  }

  return (
    <div className="grid gap-1.5">
      <p id="logo" className="text-base font-medium text-kumo-default">
        {t.rich("label", { optional: (text) => <span className="text-sm font-normal text-kumo-subtle">{text}</span> })}
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
          <span className="grid h-12 w-20 place-items-center rounded-lg text-sm text-kumo-subtle ring ring-kumo-line">
            {t("none")}
          </span>
        )}
        {may(settingsEndpoints.putLogo) && (
          <>
            <input
              ref={input}
              type="file"
              accept="image/png,image/jpeg"
              aria-label={t("file")}
              tabIndex={-1}
              className="sr-only"
              onChange={({ target }) => {
                void choose(target.files?.[0]);
                target.value = ""; // lets the user choose the same file again
              }}
            />
            <Button variant="secondary" loading={set.isPending} onClick={() => input.current?.click()}>
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
      <p role="status" className={`text-sm leading-snug ${problem ? "text-kumo-danger" : "text-kumo-subtle"}`}>
        {problem ?? t("hint")}
      </p>
    </div>
  );
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error ?? new Error("The file could not be read."));
    reader.readAsDataURL(file);
  });
}
