import { type ReactNode, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "./button";
import { Question } from "./dialog-frames";
import { useLayer } from "./dialog-layer";
import { useExplainFailure } from "./explain-failure";
import { focusLater, focusPage } from "./focus-later";
import { wasRefused } from "./idempotency-key";
import { findSelectAll } from "./list/selection";
import { findOpener } from "./list/use-peek";
import { randomKey } from "./random-key";
import { useToasts } from "./toasts";

const maxInFlight = 4;

interface Failed<Row> {
  row: Row;
  error: Error;
}

interface BulkDialogProps<Row> {
  title: string;
  body: ReactNode;
  action: string;
  destructive?: boolean;
  rows: Row[];
  nameOf: (row: Row) => string;
  /** @param idempotencyKey stays the same for a row whose response was lost */
  run: (row: Row, idempotencyKey: string) => Promise<unknown>;
  done: (count: number) => string;
  /** Runs after each round, whether or not rows have failed. */
  onFinished: () => void;
}

/** Does the work for each row, a few at a time. */
export async function forEachRow<Row>(rows: readonly Row[], work: (row: Row) => Promise<unknown>): Promise<void> {
  const queue = [...rows];
  const workOff = async (): Promise<void> => {
    for (let row = queue.shift(); row; row = queue.shift()) await work(row);
  };
  await Promise.all(Array.from({ length: maxInFlight }, workOff));
}

/** The button of an action may have gone with the selection. Then the keyboard continues from the first row. */
export function focusFirstOf(rows: readonly { _id: string }[]): void {
  focusLater(() => findOpener(rows[0]?._id ?? "") ?? findSelectAll() ?? focusPage(), "if-lost");
}

/** Asks before an action on several rows, shows its progress, and says which rows failed and why. */
export function BulkDialog<Row extends { _id: string }>(props: BulkDialogProps<Row>) {
  const { title, body, action, destructive = false, rows, nameOf, run, done, onFinished } = props;
  const t = useTranslations("ui.bulk");
  const words = useTranslations("shell.form");
  const explainFailure = useExplainFailure();
  const toasts = useToasts();
  const { close } = useLayer();
  const keys = useRef(new Map<string, string>());
  const started = useRef(false);
  const [open, setOpen] = useState(rows);
  const [finished, setFinished] = useState<number | null>(null);
  const [failed, setFailed] = useState<Failed<Row>[]>([]);
  const busy = finished !== null;

  function leave(): void {
    close();
    focusFirstOf(rows);
  }

  /** @returns why it failed; null if it did not */
  async function runOne(row: Row): Promise<Failed<Row> | null> {
    const key = keys.current.get(row._id) ?? randomKey();
    keys.current.set(row._id, key);
    try {
      await run(row, key);
      return null;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (wasRefused(error)) keys.current.delete(row._id);
      return { row, error };
    } finally {
      setFinished((count) => (count ?? 0) + 1);
    }
  }

  async function start(): Promise<void> {
    if (started.current) return;
    started.current = true;
    setFinished(0);
    const failures: Failed<Row>[] = [];
    await forEachRow(open, async (row) => {
      const failure = await runOne(row);
      if (failure) failures.push(failure);
    });
    onFinished();
    if (failures.length === 0) {
      toasts.add({ title: done(rows.length) });
      leave(); // `started` stays: the second half of a double click may still hit the dialog while it closes
      return;
    }
    setFailed(failures);
    setOpen(failures.map(({ row }) => row));
    setFinished(null);
    started.current = false;
  }

  const results = (
    <>
      <p role="alert" className="font-medium text-kumo-default">
        {t("result", { done: rows.length - failed.length, failed: failed.length })}
      </p>
      <ul className="grid max-h-60 gap-2 overflow-y-auto">
        {failed.map(({ row, error }) => (
          <li key={row._id}>
            <bdi className="font-medium wrap-anywhere text-kumo-default">{nameOf(row)}</bdi>: {explainFailure(error)}
          </li>
        ))}
      </ul>
    </>
  );

  return (
    <Question title={title} body={failed.length > 0 ? results : body} onClose={() => !busy && leave()}>
      <div className="mt-6 flex flex-wrap items-center justify-end gap-2">
        <p role="status" className="mr-auto text-base text-kumo-subtle">
          {finished !== null && t("progress", { finished, total: open.length })}
        </p>
        <Button variant="secondary" disabled={busy} onClick={leave}>
          {failed.length > 0 ? t("close") : words("goBack")}
        </Button>
        <Button
          variant={destructive ? "destructive" : "primary"}
          className="ignores-double-click"
          loading={busy}
          onClick={() => void start()}
        >
          {failed.length > 0 ? t("retry", { count: failed.length }) : action}
        </Button>
      </div>
    </Question>
  );
}
