import type { ComponentType } from "react";

/** A part of a page whose script is no part of the first load. */
export interface Part<Props> {
  /** The part, once it is there. */
  here: () => ComponentType<Props> | null;
  /** Fetches it, unless it is there. @returns null when it could not be fetched; asked for again, it is tried again */
  get: () => Promise<ComponentType<Props> | null>;
}

type Work = () => unknown;

const queue: Work[] = [];
/** Milliseconds that a page has for what it shows, before what it may open is fetched. */
const patience = 2500;

function next(): void {
  if (queue.length > 0) (window.requestIdleCallback ?? setTimeout)(() => void take());
}

async function take(): Promise<void> {
  await queue[0]?.();
  queue.shift();
  next();
}

/** Does something that the page does not wait for, when the browser has nothing else to do; one thing at a time. */
export function whenIdle(work: Work): void {
  if (queue.push(work) === 1) setTimeout(next, patience);
}

/** It comes when the browser has nothing else to do, or when it is asked for, if that is first. */
export function partOf<Props>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  let part: ComponentType<Props> | null = null;
  let coming: Promise<ComponentType<Props>> | null = null;
  async function get(): Promise<ComponentType<Props> | null> {
    coming ??= load();
    try {
      part = await coming;
    } catch {
      coming = null;
    }
    return part;
  }
  async function getAhead(): Promise<void> {
    if (!(await get())) window.addEventListener("online", () => void get(), { once: true });
  }
  if (typeof window !== "undefined") whenIdle(getAhead);
  return { here: () => part, get };
}
