import { Button } from "@cloudflare/kumo/components/button";
import type { FormEvent, ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Alert } from "@/components/ui/alert";

interface SectionFormProps {
  label: string;
  action?: string;
  /** False for who may look and not change. */
  canWrite: boolean;
  problem: string | null;
  busy: boolean;
  onSubmit: (event: FormEvent) => void;
  children: ReactNode;
}

/** One section's fields and its button. */
export function SectionForm(props: SectionFormProps) {
  const t = useTranslations("settings.form");
  const { label, action = t("save"), canWrite, problem, busy, onSubmit, children } = props;
  return (
    <form noValidate aria-label={label} onSubmit={onSubmit}>
      <fieldset disabled={!canWrite} className="grid min-w-0 gap-4">
        <legend className="sr-only">{label}</legend>
        <Alert>{problem}</Alert>
        {children}
        {canWrite && (
          <div>
            <Button type="submit" variant="secondary" loading={busy}>
              {action}
            </Button>
          </div>
        )}
      </fieldset>
    </form>
  );
}
