import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { errorsInUnits } from "@/components/ui/amount";
import { useExplainFailure } from "@/components/ui/explain-failure";
import { useUnsaved } from "@/components/ui/unsaved";
import { call } from "@/lib/client/call";
import {
  type ImportedRow,
  type ImportResult,
  paymentLinkCsvEndpoints,
} from "@/lib/resources/payment-links/csv-contract";
import { batches, isTooLarge, type ParsedFile, toRow } from "./import-file";

export type Counts = ImportResult["counts"];
export type Phase = "checking" | "checked" | "importing" | "done";

export interface ImportState {
  phase: Phase;
  answered: number;
  counts: Counts;
  invalid: (ImportedRow & { row: number })[];
  /** Why it stopped; `resume` continues from there. */
  problem: string | null;
}

const noCounts: Counts = { valid: 0, created: 0, already_created: 0, invalid: 0 };
const initialState = (phase: Phase): ImportState => ({
  phase,
  answered: 0,
  counts: noCounts,
  invalid: [],
  problem: null,
});

/**
 * Sends a file's rows in batches: a dry run, then the import. A resumed import repeats the batch that got no answer;
 * the API creates each row only once.
 */
export function useImport(file: ParsedFile, sendEmail: boolean) {
  const t = useTranslations("paymentLinks.import");
  const explainFailure = useExplainFailure();
  const [state, setState] = useState<ImportState>(initialState("checking"));
  useUnsaved(state.phase === "importing", "import");
  const client = useQueryClient();
  const running = useRef(false);
  // Leaving the page stops the import.
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);

  async function send(from: ImportState): Promise<void> {
    if (running.current) return;
    running.current = true;
    let now: ImportState = { ...from, problem: null };
    const dry_run = now.phase === "checking";
    setState(now);
    const rest = file.rows.slice(now.answered).map((row) => toRow(row, sendEmail));
    try {
      for (const rows of batches(rest)) {
        if (!mounted.current) return;
        const result = isTooLarge(rows)
          ? refused(rows, t("rowTooLarge"))
          : await call(paymentLinkCsvEndpoints.import, { body: { file: file.id, dry_run, rows } });
        now = addResult(now, result, rows.length);
        setState(now);
      }
      now = { ...now, phase: dry_run ? "checked" : "done" };
    } catch (error) {
      now = { ...now, problem: explainFailure(error as Error) };
    } finally {
      running.current = false;
    }
    setState(now);
    if (!dry_run)
      await Promise.all(
        ["payment-links", "reports", "customers"].map((key) => client.invalidateQueries({ queryKey: [key] })),
      );
  }

  return {
    state,
    check: () => send(initialState("checking")),
    create: () => send(initialState("importing")),
    resume: () => send(state),
  };
}

type Result = Pick<ImportResult, "counts" | "rows">;

const refused = (rows: { row: number }[], message: string): Result => ({
  counts: { ...noCounts, invalid: rows.length },
  rows: rows.map(({ row }) => ({ row, status: "invalid", payment_link_id: null, errors: { row: [message] } })),
});

function addResult(state: ImportState, { counts, rows }: Result, answered: number): ImportState {
  const invalid = rows.filter(
    (row): row is ImportedRow & { row: number } => row.status === "invalid" && row.row !== null,
  );
  return {
    ...state,
    answered: state.answered + answered,
    counts: {
      valid: state.counts.valid + counts.valid,
      created: state.counts.created + counts.created,
      already_created: state.counts.already_created + counts.already_created,
      invalid: state.counts.invalid + counts.invalid,
    },
    invalid: [...state.invalid, ...invalid.map((row) => ({ ...row, errors: row.errors && errorsInUnits(row.errors) }))],
  };
}
