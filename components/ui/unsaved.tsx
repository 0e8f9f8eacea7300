"use client";

import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from "react";
import { DiscardQuestion, type Loss } from "./discard-question";

/** One for each thing that would be lost, as what was typed in a form and is not saved. */
export type Marks = Set<{ of: Loss }>;
type Ask = () => Promise<boolean>;

/** Of the whole page. */
const marks: Marks = new Set();
/** Whether the page is being left on purpose. */
let leaving = false;
/** Takes back each question that is open: it does not know of what has come since. */
const withdrawals = new Set<() => void>();
/** Who asks before the page is left: the last one's dialog lies on top. */
const askers: Ask[] = [];

/** What was typed within a sheet, for its way out. */
export const Within = createContext<Marks | null>(null);

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

/** The browser itself asks before a reload, only while something would be lost by it. */
function listen(): void {
  if (isUnsaved()) window.addEventListener("beforeunload", warn);
  else window.removeEventListener("beforeunload", warn);
}

/** Says whether there is something that is lost with the part of the page which says so. */
export function useUnsaved(unsaved: boolean, of: Loss = "typed"): void {
  const within = useContext(Within);
  useEffect(() => {
    if (!unsaved) return;
    const mark = { of };
    const places = within ? [marks, within] : [marks];
    for (const place of places) place.add(mark);
    for (const withdraw of withdrawals) withdraw();
    leaving = false;
    listen();
    return () => {
      for (const place of places) place.delete(mark);
      if (marks.size === 0) leaving = false;
      listen();
    };
  }, [unsaved, of, within]);
}

export const isUnsaved = (): boolean => marks.size > 0 && !leaving;

/** The page is left on purpose: nobody is asked about what stands in it. */
export function letGo(): void {
  leaving = marks.size > 0;
  listen();
}

/** It was not left after all. */
export function stay(): void {
  leaving = false;
  listen();
}

/** Whether the page may be left: asked, if something would be lost by it. */
export async function mayLeave(): Promise<boolean> {
  if (!isUnsaved()) return true;
  const yes = await (askers.at(-1)?.() ?? Promise.resolve(true));
  if (yes) letGo();
  return yes;
}

/** @param outermost whether others, if there are any, ask first */
export function useAsker(ask: Ask, active: boolean, outermost = false): void {
  useEffect(() => {
    if (!active) return;
    if (outermost) askers.unshift(ask);
    else askers.push(ask);
    return () => void askers.splice(askers.indexOf(ask), 1);
  }, [ask, active, outermost]);
}

/**
 * The question, and its dialog, which the caller renders.
 * @param active whether that is there about which it asks: with it goes the question, unanswered
 */
export function useDiscardQuestion(active = true): [ask: Ask, dialog: ReactNode] {
  const [asking, setAsking] = useState(false);
  const [loss, setLoss] = useState<Loss>("typed");
  const answer = useRef<(yes: boolean) => void>(() => undefined);
  const ask = useCallback((): Promise<boolean> => {
    answer.current(false);
    setLoss([...marks].at(-1)?.of ?? "typed");
    setAsking(true);
    return new Promise((resolve) => {
      answer.current = resolve;
    });
  }, []);
  function decide(yes: boolean): void {
    setAsking(false);
    answer.current(yes);
  }
  useEffect(() => {
    const withdraw = () => {
      setAsking(false);
      answer.current(false);
    };
    if (!active) return withdraw();
    withdrawals.add(withdraw);
    return () => void withdrawals.delete(withdraw);
  }, [active]);
  return [ask, <DiscardQuestion key="discard" of={loss} open={asking} onDecide={decide} />];
}
