"use client";

import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { useUnsaved } from "@/components/ui/unsaved";

interface SecretShownProps {
  title: string;
  secret: string;
  /** What to do with it. */
  children: ReactNode;
  onDone: () => void;
}

/** A secret that is shown once. Closing the sheet around it asks first. */
export function SecretShown({ title, secret, children, onDone }: SecretShownProps) {
  const t = useTranslations("webhooks.secret");
  useUnsaved(true, "secret");
  return (
    <div className="grid content-start gap-5 overflow-y-auto p-5">
      <div className="flex items-start gap-3">
        <CheckCircleIcon size={24} weight="fill" className="mt-0.5 shrink-0 text-kumo-success" aria-hidden />
        <div className="min-w-0">
          {/* The form is gone, and with it the focus: it comes here, so that a screen reader says how it went. */}
          <h3
            ref={(heading) => heading?.focus()}
            tabIndex={-1}
            className="text-[15px] font-semibold text-kumo-strong outline-none"
          >
            {title}
          </h3>
          <p className="text-base text-kumo-subtle">{children}</p>
        </div>
      </div>
      <p className="rounded-lg bg-kumo-recessed px-3 py-2.5 font-mono text-sm break-all text-kumo-default select-all">
        {secret}
      </p>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={secret} label={t("copy")} variant="primary">
          {t("copy")}
        </CopyButton>
        <Button variant="ghost" className="ignores-double-click" onClick={onDone}>
          {t("done")}
        </Button>
      </div>
    </div>
  );
}
