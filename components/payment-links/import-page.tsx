"use client";

import { CaretLeftIcon } from "@phosphor-icons/react/dist/ssr/CaretLeft";
import Link from "next/link";
import { useState } from "react";
import { linkLook, Panel } from "@/components/shell/detail";
import { Alert } from "@/components/ui/alert";
import { columns, type ParsedFile, parseFile, problemOf } from "./import-file";
import { ImportRun } from "./import-run";

const template = `data:text/csv;charset=utf-8,${encodeURIComponent(
  `${columns.filter((name) => name !== "amount_cents").join(",")}\r\n` +
    "ada@example.com,EUR,10.50,Order 1001,,Two books,,1001,,\r\n",
)}`;

/** Payment links out of a file: first looked at, then made. */
export function ImportPage() {
  const [file, setFile] = useState<ParsedFile | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [sendEmail, setSendEmail] = useState(false);

  async function choose(chosen: File | undefined): Promise<void> {
    setFile(null);
    setProblem(null);
    if (!chosen) return;
    if (chosen.size > 20_000_000) return setProblem("The file is larger than 20 MB. Import it in parts.");
    const parsed = await parseFile(chosen);
    const wrong = problemOf(parsed);
    if (wrong) setProblem(wrong);
    else setFile(parsed);
  }

  return (
    <>
      <Link
        href="/payment-links"
        className="mb-3 -ml-1 inline-flex items-center gap-1 rounded text-base text-kumo-subtle hover:text-kumo-default"
      >
        <CaretLeftIcon size={14} aria-hidden />
        Payment links
      </Link>
      <h1 className="mb-5 text-xl font-semibold tracking-tight text-kumo-strong">Import payment links</h1>
      <div className="grid grid-cols-1 gap-6">
        <Panel title="The file">
          <div className="grid gap-4 px-4 py-4">
            <p className="max-w-2xl text-base text-kumo-subtle">
              A CSV file whose first line names its columns: {columns.join(", ")}. The amount is in currency units
              (10.50), amount_cents in cents; an expiry is written like 2027-01-31T18:00:00+01:00. An{" "}
              <a href={template} download="payment-links.csv" className={linkLook}>
                example file
              </a>{" "}
              shows it, and so does an export.
            </p>
            <label className="grid w-fit gap-1.5 text-base font-medium text-kumo-default">
              CSV file
              <input
                type="file"
                accept=".csv,text/csv,text/plain"
                onChange={({ target }) => void choose(target.files?.[0])}
                className="max-w-full text-base font-normal file:mr-3 file:h-9 file:cursor-pointer file:rounded-lg file:border-0 file:bg-kumo-tint file:px-3 file:text-kumo-default"
              />
            </label>
            <label className="flex items-center gap-2.5 text-base text-kumo-default">
              <input
                type="checkbox"
                checked={sendEmail}
                onChange={({ target }) => setSendEmail(target.checked)}
                className="size-4.5 accent-(--ink-brand)"
              />
              Send each payer the link by e-mail
            </label>
            <Alert>{problem}</Alert>
          </div>
        </Panel>
        {file && <ImportRun key={file.id} file={file} sendEmail={sendEmail} />}
      </div>
    </>
  );
}
