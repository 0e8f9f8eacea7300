"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { useRef, useState } from "react";
import { explainFailure } from "@/components/ui/explain-failure";
import { ApiFailure } from "@/lib/api/client";
import { logoOf } from "@/lib/settings/brand";
import { brandOf, mostLogoBytes, type Settings } from "@/lib/settings/contract";
import { useRemoveLogo, useSetLogo } from "@/lib/settings/queries";

/** The logo is sent as soon as it is chosen. */
export function LogoField({ settings, canWrite }: { settings: Settings; canWrite: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const toasts = useKumoToastManager();
  const set = useSetLogo();
  const remove = useRemoveLogo();
  const [problem, setProblem] = useState<string | null>(null);
  const logo = logoOf(brandOf(settings));

  async function run(work: () => Promise<unknown>, done: string): Promise<void> {
    setProblem(null);
    try {
      await work();
      toasts.add({ title: done });
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setProblem(error.errors.image?.[0] ?? explainFailure(error));
    }
  }

  async function choose(file: File | undefined): Promise<void> {
    if (!file) return;
    if (file.size > mostLogoBytes) return setProblem("The image must not be larger than 24 kB.");
    await run(async () => set.mutateAsync(await base64Of(file)), "Logo saved");
  }

  return (
    <div className="grid gap-1.5">
      <p id="logo" className="text-base font-medium text-kumo-default">
        Logo <span className="text-sm font-normal text-kumo-subtle">optional</span>
      </p>
      <div className="flex flex-wrap items-center gap-3">
        {logo ? (
          // biome-ignore lint/performance/noImgElement: a few kilobytes of ours
          <img
            src={logo.path}
            alt="Your logo"
            width={logo.width}
            height={logo.height}
            className="h-12 w-auto max-w-40 rounded-lg bg-white object-contain p-1 ring ring-kumo-line"
          />
        ) : (
          <span className="grid h-12 w-20 place-items-center rounded-lg text-sm text-kumo-subtle ring ring-kumo-line">
            None
          </span>
        )}
        {canWrite && (
          <>
            <input
              ref={input}
              type="file"
              accept="image/png,image/jpeg"
              aria-label="Logo file"
              tabIndex={-1}
              className="sr-only"
              onChange={({ target }) => {
                void choose(target.files?.[0]);
                target.value = ""; // the same file again is a choice too
              }}
            />
            <Button variant="secondary" loading={set.isPending} onClick={() => input.current?.click()}>
              {logo ? "Replace logo" : "Upload logo"}
            </Button>
            {logo && (
              <Button
                variant="ghost"
                loading={remove.isPending}
                onClick={() => void run(() => remove.mutateAsync(undefined), "Logo removed")}
              >
                Remove logo
              </Button>
            )}
          </>
        )}
      </div>
      <p role="status" className={`text-sm leading-snug ${problem ? "text-kumo-danger" : "text-kumo-subtle"}`}>
        {problem ?? "PNG or JPEG, at most 24 kB and 1024 pixels either way. It stands on white."}
      </p>
    </div>
  );
}

/** A file's bytes in base64. */
function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error ?? new Error("The file could not be read."));
    reader.readAsDataURL(file);
  });
}
