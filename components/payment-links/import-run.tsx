import { useEffect, useRef } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Panel } from "@/components/ui/detail";
import { ButtonLink } from "@/components/ui/link";
import { saveFile } from "@/components/ui/save-file";
import { type ParsedFile, rowsAsCsv, rowWords } from "./import-file";
import { type ImportState, useImport } from "./use-import";

interface ImportRunProps {
  file: ParsedFile;
  sendEmail: boolean;
  onImporting: (isImporting: boolean) => void;
}

export function ImportRun({ file, sendEmail, onImporting }: ImportRunProps) {
  const t = useTranslations("paymentLinks.import");
  const { state, check, create, resume } = useImport(file, sendEmail);
  const first = useRef(check);
  useEffect(() => void first.current(), []);
  const { phase, counts, problem } = state;
  const left = counts.valid;
  const isImporting = phase === "importing" && !problem;
  useEffect(() => onImporting(isImporting), [isImporting, onImporting]);
  return (
    <>
      <Panel title={t("run", { name: file.name, count: file.rows.length })}>
        <div className="grid gap-4 px-4 py-4">
          <Progress state={state} total={file.rows.length} />
          <Alert>{problem && t("stopped", { count: state.answered, problem })}</Alert>
          {problem ? (
            <div>
              <Button variant="primary" onClick={() => void resume()}>
                {t("resume")}
              </Button>
            </div>
          ) : phase === "checked" ? (
            <div className="flex flex-wrap items-center gap-3">
              {left > 0 && (
                <Button variant="primary" onClick={() => void create()}>
                  {t("create", { count: left })}
                </Button>
              )}
              <p className="text-base text-kumo-subtle">
                {left === 0 ? t("nothingToCreate") : t("nothingCreated")}{" "}
                {left > 0 && (sendEmail ? t("withEmails") : t("withoutEmails"))}
              </p>
            </div>
          ) : (
            phase === "done" && (
              <div>
                <ButtonLink href="/payment-links" variant="primary">
                  {t("toLinks")}
                </ButtonLink>
              </div>
            )
          )}
        </div>
      </Panel>
      {state.invalid.length > 0 && (
        <Invalid file={file} invalid={state.invalid} hasCreated={counts.created + counts.already_created > 0} />
      )}
    </>
  );
}

function Progress({ state, total }: { state: ImportState; total: number }) {
  const t = useTranslations("paymentLinks.import");
  const format = useFormatter();
  const { phase, answered, counts } = state;
  const dry = phase === "checking" || phase === "checked";
  const parts = [
    dry ? t("valid", { count: counts.valid }) : t("created", { count: counts.created }),
    counts.already_created > 0 && t("alreadyCreated", { count: counts.already_created }),
    counts.invalid > 0 && t("invalid", { count: counts.invalid }),
  ].filter((part) => part !== false);
  return (
    <div className="grid gap-2">
      <p role="status" className="text-base font-medium text-kumo-strong">
        {t(`progress.${phase}`, { counts: format.list(parts, { type: "unit" }) })}
      </p>
      <progress
        value={answered}
        max={total}
        aria-label={dry ? t("rowsChecked") : t("rowsImported")}
        className="h-2 w-full max-w-md overflow-hidden rounded-full accent-(--ink-brand)"
      />
    </div>
  );
}

const shown = 200;

interface InvalidProps {
  file: ParsedFile;
  invalid: ImportState["invalid"];
  /** Whether the file's other rows have created links. */
  hasCreated: boolean;
}

function Invalid({ file, invalid, hasCreated }: InvalidProps) {
  const t = useTranslations("paymentLinks.import");
  const byNumber = new Map(file.rows.map((row) => [row.row, row]));
  const rows = invalid.flatMap((result) => byNumber.get(result.row) ?? []);
  // Excel recognises UTF-8 by the byte order mark.
  const save = (): void =>
    saveFile(
      new Blob(["\ufeff", rowsAsCsv(file, rows)], { type: "text/csv" }),
      file.name.replace(/(\.csv)?$/i, "-errors.csv"),
    );
  return (
    <Panel
      title={t("invalid", { count: invalid.length })}
      action={
        <Button variant="secondary" size="sm" onClick={save}>
          {t("saveInvalid")}
        </Button>
      }
    >
      {hasCreated && (
        <p className="border-b border-kumo-hairline px-4 py-3 text-base text-kumo-default">{t("afterPart")}</p>
      )}
      <ul>
        {invalid.slice(0, shown).map(({ row, errors }) => {
          const given = byNumber.get(row);
          return (
            <li key={row} className="border-b border-kumo-hairline px-4 py-3 last:border-0">
              <p className="text-base text-kumo-default wrap-anywhere">
                <b className="font-medium text-kumo-strong">{t("row", { row: String(row) })}</b>{" "}
                {given && rowWords(given)}
              </p>
              <p className="text-sm text-kumo-danger">
                {Object.values(errors ?? {})
                  .flat()
                  .join(" ")}
              </p>
            </li>
          );
        })}
      </ul>
      {invalid.length > shown && (
        <p className="px-4 py-3 text-sm text-kumo-subtle">{t("moreInvalid", { count: invalid.length - shown })}</p>
      )}
    </Panel>
  );
}
