import { createContext, useContext, useEffect } from "react";
import type en from "@/messages/en";

/** What would be lost: typed text, an import under way, or a secret that is shown once. */
export type Loss = keyof (typeof en)["ui"]["discard"];

/** The unsaved changes of the page, or of one sheet. Each mark is one form, import or secret. */
export type UnsavedMarks = Set<{ loss: Loss }>;

const pageMarks: UnsavedMarks = new Set();
/** Whether the page is being left with the user's consent. */
let leaving = false;
let askToDiscard: ((loss: Loss) => Promise<boolean>) | null = null;
let withdrawQuestion = (): void => undefined;

/** The marks of the sheet around a form, which asks before it closes. */
export const SheetMarks = createContext<UnsavedMarks | null>(null);

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Lets the browser ask before a reload, while there are unsaved changes. */
function updateReloadWarning(): void {
  if (isUnsaved()) window.addEventListener("beforeunload", warn);
  else window.removeEventListener("beforeunload", warn);
}

/** Marks unsaved changes for as long as `unsaved` is true. */
export function useUnsaved(unsaved: boolean, loss: Loss = "typed"): void {
  const sheetMarks = useContext(SheetMarks);
  useEffect(() => {
    if (!unsaved) return;
    const mark = { loss };
    const sets = sheetMarks ? [pageMarks, sheetMarks] : [pageMarks];
    for (const marks of sets) marks.add(mark);
    withdrawQuestion(); // it asked about less
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

/** Leaves the page without a question, unsaved changes or not. */
export function letGo(): void {
  leaving = pageMarks.size > 0;
  updateReloadWarning();
}

/** Takes `letGo` back: the page was not left after all. */
export function stay(): void {
  leaving = false;
  updateReloadWarning();
}

/** Sets how to ask whether unsaved changes may be discarded, and how to close that question unanswered. */
export function setDiscardQuestion(ask: ((loss: Loss) => Promise<boolean>) | null, withdraw: () => void): void {
  askToDiscard = ask;
  withdrawQuestion = withdraw;
}

/** Asks whether these changes may be discarded. True at once if there are none. */
export async function mayDiscard(marks: UnsavedMarks): Promise<boolean> {
  const last = [...marks].at(-1);
  return !last || !askToDiscard || askToDiscard(last.loss);
}

/** Whether the page may be left: asks first if there are unsaved changes. */
export async function mayLeave(): Promise<boolean> {
  if (!isUnsaved()) return true;
  const yes = await mayDiscard(pageMarks);
  if (yes) letGo();
  return yes;
}
