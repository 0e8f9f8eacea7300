"use client";

import { Fragment, type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { Alert } from "@/components/ui/alert";
import { BackLink, linkClass, Panel } from "@/components/ui/detail";
import { payerLanguages } from "@/lib/core/payer-languages";
import { importColumns } from "@/lib/resources/payment-links/csv-contract";
import { optional, type ParsedFile, parseFile, problemOf, required } from "./import-file";
import { ImportRun } from "./import-run";

const example: Record<string, string> = {
  email: "ada@example.com",
  currency: "EUR",
  amount: "10.50",
  title: "Order 1001",
  description: "Two books",
  reference: "1001",
};
const titles = importColumns.filter((name) => name !== "amount_cents");
const template = `data:text/csv;charset=utf-8,${encodeURIComponent(
  `${titles.join(",")}\r\n${titles.map((name) => example[name] ?? "").join(",")}\r\n`,
)}`;

const code = (words: ReactNode) => <code>{words}</code>;

const codes = (names: readonly string[]): ReactNode =>
  names.map((name, index) => (
    <Fragment key={name}>
      {index > 0 && ", "}
      {code(name)}
    </Fragment>
  ));

export function ImportPage() {
  const t = useTranslations("paymentLinks.import");
  const pageTitles = useTranslations("titles");
  const [file, setFile] = useState<ParsedFile | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [sendEmail, setSendEmail] = useState(false);
  const [isImporting, setIsImporting] = useState(false);

  async function choose(chosen: File | undefined): Promise<void> {
    setFile(null);
    setProblem(null);
    if (!chosen) return;
    if (chosen.size > 20_000_000) return setProblem(t("tooLarge"));
    const parsed = await parseFile(chosen).catch(() => null);
    if (!parsed) return setProblem(t("unreadable"));
    const wrong = problemOf(t, parsed);
    if (wrong) setProblem(wrong);
    else setFile(parsed);
  }

  return (
    <>
      <BackLink href="/payment-links">{pageTitles("paymentLinks")}</BackLink>
      <h1 className="mb-5 text-xl font-semibold tracking-tight text-kumo-strong">{pageTitles("importPaymentLinks")}</h1>
      <div className="grid grid-cols-1 gap-6">
        <Panel title={t("file")}>
          <div className="grid gap-4 px-4 py-4">
            <div className="grid max-w-2xl gap-3 text-base">
              <p className="text-kumo-default">{t("about")}</p>
              <dl className="grid gap-x-4 gap-y-1 text-kumo-subtle sm:grid-cols-[max-content_minmax(0,1fr)] [&_code]:text-sm [&_code]:whitespace-nowrap [&_code]:text-kumo-default">
                <dt className="font-medium">{t("required")}</dt>
                <dd className="max-sm:mb-2">
                  {t.rich("requiredColumns", { columns: () => codes(required), c: code })}
                </dd>
                <dt className="font-medium">{t("optional")}</dt>
                <dd>
                  {t.rich("optionalColumns", {
                    columns: () => codes(optional),
                    languages: () => codes(payerLanguages),
                    c: code,
                  })}
                </dd>
              </dl>
              <a href={template} download="payment-links.csv" className={`justify-self-start ${linkClass}`}>
                {t("example")}
              </a>
            </div>
            {/* Another file would stop the import of this one, and the e-mails belong to all of its rows. */}
            <fieldset disabled={isImporting} className="grid gap-4 disabled:opacity-50">
              <label className="grid w-fit gap-1.5 text-base font-medium text-kumo-default">
                {t("choose")}
                <input
                  type="file"
                  // Otherwise a corrected file of the same name would be no change.
                  onClick={({ currentTarget }) => {
                    currentTarget.value = "";
                  }}
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
                {t("sendEmail")}
              </label>
            </fieldset>
            <Alert>{problem}</Alert>
          </div>
        </Panel>
        <UncertainEncoding words={file?.uncertain ?? []} />
        {file && <ImportRun key={file.id} file={file} sendEmail={sendEmail} onImporting={setIsImporting} />}
      </div>
    </>
  );
}

/** The live region is rendered before its text, so that screen readers announce the text. */
function UncertainEncoding({ words }: { words: string[] }) {
  const t = useTranslations("paymentLinks.import");
  return (
    <div role="status" className="empty:hidden">
      {words.length > 0 && (
        <div className="grid gap-2 rounded-xl bg-kumo-warning-tint px-4 py-3 text-base text-(--ink-warning) ring-1 ring-kumo-warning/40">
          <p className="font-medium">{t("uncertain")}</p>
          <ul className="font-medium wrap-anywhere">
            {words.map((word) => (
              <li key={word}>{t("uncertainWord", { word })}</li>
            ))}
          </ul>
          <p className="max-w-2xl">{t("uncertainWhy")}</p>
        </div>
      )}
    </div>
  );
}
