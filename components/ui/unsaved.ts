import { createContext, useContext, useEffect } from "react";
import type en from "@/messages/en";

/** What would be lost: typed text, an import under way, or a secret that is shown once. */
export type Loss = keyof (typeof en)["ui"]["discard"];

/** The unsaved changes of the page, or of one sheet. Each mark is one form, import or secret. */
export type UnsavedMarks = Set<{ loss: Loss }>;

const pageMarks: UnsavedMarks = new Set();
/** The user has agreed to leave the page. */
let leaving = false;
let askToDiscard: ((loss: Loss) => Promise<boolean>) | null = null;
let withdrawQuestion = (): void => undefined;

/** The marks of the surrounding sheet, which asks before it closes. */
export const SheetMarks = createContext<UnsavedMarks | null>(null);

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

function updateReloadWarning(): void {
  if (isUnsaved()) window.addEventListener("beforeunload", warn);
  else window.removeEventListener("beforeunload", warn);
}

export function useUnsaved(unsaved: boolean, loss: Loss = "typed"): void {
  const sheetMarks = useContext(SheetMarks);
  useEffect(() => {
    if (!unsaved) return;
    const mark = { loss };
    const sets = sheetMarks ? [pageMarks, sheetMarks] : [pageMarks];
    for (const marks of sets) marks.add(mark);
    withdrawQuestion(); // the question was about fewer changes
    leaving = false;
    updateReloadWarning();
    return () => {
      for (const marks of sets) marks.delete(mark);
      if (pageMarks.size === 0) leaving = false;
      updateReloadWarning();
    };
  }, [unsaved, loss, sheetMarks]);
}

export const isUnsaved = (): boolean => pageMarks.size > 0 && !leaving;

/** Lets the page be left without a question. */
export function allowLeaving(): void {
  leaving = pageMarks.size > 0;
  updateReloadWarning();
}

/** Undoes `allowLeaving`: the page was not left. */
export function stay(): void {
  leaving = false;
  updateReloadWarning();
}

export function setDiscardQuestion(ask: ((loss: Loss) => Promise<boolean>) | null, withdraw: () => void): void {
  askToDiscard = ask;
  withdrawQuestion = withdraw;
}

/** True without a question if there are no marks. */
export async function mayDiscard(marks: UnsavedMarks): Promise<boolean> {
  const last = [...marks].at(-1);
  return !last || !askToDiscard || askToDiscard(last.loss);
}

/** Runs `go`: at once if nothing is unsaved, otherwise once the user has agreed. */
export function leaveWith(go: () => void): void {
  if (isUnsaved()) void mayLeave().then((yes) => yes && go());
  else go();
}

/** Asks if there are unsaved changes. */
export async function mayLeave(): Promise<boolean> {
  if (!isUnsaved()) return true;
  const yes = await mayDiscard(pageMarks);
  if (yes) allowLeaving();
  return yes;
}
