import type { FormEvent, ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { Endpoint } from "@/lib/http/endpoint";

interface SectionFormProps {
  label: string;
  action?: string;
  /** Read-only for users who may not call it. */
  endpoint: Endpoint;
  problem: string | null;
  busy: boolean;
  onSubmit: (event: FormEvent) => void;
  children: ReactNode;
}

export function SectionForm(props: SectionFormProps) {
  const t = useTranslations("settings.form");
  const { label, action = t("save"), endpoint, problem, busy, onSubmit, children } = props;
  const canSend = useMay()(endpoint);
  return (
    <form noValidate aria-label={label} onSubmit={onSubmit}>
      <fieldset disabled={!canSend} className="grid min-w-0 gap-4">
        <legend className="sr-only">{label}</legend>
        <Alert>{problem}</Alert>
        {children}
        {canSend && (
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
