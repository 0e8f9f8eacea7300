import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { useUnsaved } from "@/components/ui/unsaved";

interface RecoveryCodesProps {
  lead: string;
  codes: string[];
  onDone: () => void;
}

/** Defined once, so that a new render does not take the focus again. */
const focus = (lead: HTMLElement | null): void => lead?.focus();

/** Shows the codes once. Leaving asks first. */
export function RecoveryCodes({ lead, codes, onDone }: RecoveryCodesProps) {
  const t = useTranslations("account.recoveryCodes");
  useUnsaved(true, "secret");
  return (
    <div className="grid content-start gap-4 overflow-y-auto p-5">
      <p ref={focus} tabIndex={-1} className="text-base leading-relaxed text-kumo-default outline-none">
        {lead}
      </p>
      <ul aria-label={t("codes")} className="grid gap-1.5 rounded-lg bg-kumo-recessed p-4 font-mono text-base">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={codes.join("\n")} label={t("copyCodes")} variant="secondary">
          {t("copyAll")}
        </CopyButton>
        <Button variant="primary" className="ignores-double-click" onClick={onDone}>
          {t("kept")}
        </Button>
      </div>
    </div>
  );
}
