"use client";

import { Button, buttonVariants } from "@cloudflare/kumo/components/button";
import Link from "next/link";
import { useEffect, useRef } from "react";
import { Panel } from "@/components/shell/detail";
import { Alert } from "@/components/ui/alert";
import { type ParsedFile, rowsAsCsv, rowWords } from "./import-file";
import { saveFile } from "./save-file";
import { type ImportState, useImport } from "./use-import";

const links = (count: number): string =>
  count === 1 ? "1 payment link" : `${count.toLocaleString("en")} payment links`;
const rowsOf = (count: number): string => (count === 1 ? "1 row" : `${count.toLocaleString("en")} rows`);

/** A dry run by itself, then the import when somebody says so. */
export function ImportRun({ file, sendEmail }: { file: ParsedFile; sendEmail: boolean }) {
  const { state, check, create, resume } = useImport(file, sendEmail);
  const first = useRef(check);
  useEffect(() => void first.current(), []);
  const { phase, counts, problem } = state;
  const left = counts.valid;
  return (
    <>
      <Panel title={`${file.name}: ${rowsOf(file.rows.length)}`}>
        <div className="grid gap-4 px-4 py-4">
          <Progress state={state} total={file.rows.length} />
          <Alert>{problem && `It stopped after ${rowsOf(state.answered)}. ${problem} Nothing is made twice.`}</Alert>
          {problem ? (
            <div>
              <Button variant="primary" onClick={() => void resume()}>
                Resume
              </Button>
            </div>
          ) : phase === "checked" ? (
            <div className="flex flex-wrap items-center gap-3">
              {left > 0 && (
                <Button variant="primary" onClick={() => void create()}>
                  Create {links(left)}
                </Button>
              )}
              <p className="text-base text-kumo-subtle">
                {left === 0 ? "There is nothing to create." : "Nothing has been created yet."}{" "}
                {left > 0 && (sendEmail ? "Each payer gets an e-mail." : "Nobody gets an e-mail.")}
              </p>
            </div>
          ) : (
            phase === "done" && (
              <div>
                <Link href="/payment-links" className={buttonVariants({ variant: "primary" })}>
                  Go to the payment links
                </Link>
              </div>
            )
          )}
        </div>
      </Panel>
      {state.invalid.length > 0 && <Invalid file={file} invalid={state.invalid} />}
    </>
  );
}

function Progress({ state, total }: { state: ImportState; total: number }) {
  const { phase, answered, counts } = state;
  const dry = phase === "checking" || phase === "checked";
  const parts = [
    dry ? `${rowsOf(counts.valid)} in order` : `${links(counts.created)} created`,
    counts.already_created > 0 && `${rowsOf(counts.already_created)} imported before`,
    counts.invalid > 0 && `${rowsOf(counts.invalid)} with errors`,
  ];
  const doing = { checking: "Checking", checked: "Checked", importing: "Creating", done: "Done" }[phase];
  return (
    <div className="grid gap-2">
      <p role="status" className="text-base font-medium text-kumo-strong">
        {doing}: {parts.filter(Boolean).join(", ")}.
      </p>
      <progress
        value={answered}
        max={total}
        aria-label={dry ? "Rows checked" : "Rows imported"}
        className="h-2 w-full max-w-md overflow-hidden rounded-full accent-(--ink-brand)"
      />
    </div>
  );
}

const shown = 200;

interface InvalidProps {
  file: ParsedFile;
  invalid: ImportState["invalid"];
}

/** What is wrong, row by row, in the API's words. */
function Invalid({ file, invalid }: InvalidProps) {
  const byNumber = new Map(file.rows.map((row) => [row.row, row]));
  const rows = invalid.flatMap((result) => byNumber.get(result.row) ?? []);
  const save = (): void =>
    saveFile(new Blob([rowsAsCsv(file, rows)], { type: "text/csv" }), file.name.replace(/(\.csv)?$/i, "-to-mend.csv"));
  return (
    <Panel
      title={`${rowsOf(invalid.length)} with errors`}
      action={
        <Button variant="secondary" size="sm" onClick={save}>
          Save them as a file
        </Button>
      }
    >
      <ul>
        {invalid.slice(0, shown).map(({ row, errors }) => {
          const given = byNumber.get(row);
          return (
            <li key={row} className="border-b border-kumo-hairline px-4 py-3 last:border-0">
              <p className="text-base text-kumo-default wrap-anywhere">
                <b className="font-medium text-kumo-strong">Row {row}</b> {given && rowWords(given)}
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
        <p className="px-4 py-3 text-sm text-kumo-subtle">
          And {rowsOf(invalid.length - shown)} more: save them as a file.
        </p>
      )}
    </Panel>
  );
}
