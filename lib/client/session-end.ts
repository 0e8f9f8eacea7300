/** Told once, however many calls find at the same time that the session has ended. Null where no page watches. */
let watcher: (() => void) | null = null;

/** Reads that go on once somebody has signed in again. */
let waiting: (() => void)[] = [];

/** For the page that is open: it asks to sign in again. @returns how to stop watching */
export function watchSession(ended: () => void): () => void {
  watcher = ended;
  return () => {
    if (watcher === ended) watcher = null;
  };
}

/** Nobody is asked to sign in while the page is being left by signing out. @returns how to go on watching */
export function stopWatching(): () => void {
  const before = watcher;
  watcher = null;
  return () => {
    watcher = before;
  };
}

/** A call was answered that nobody is signed in. @returns whether a page takes care of it */
export function sessionEnded(): boolean {
  watcher?.();
  return watcher !== null;
}

/** How often somebody has signed in again over this page. */
let times = 0;
export const signIns = (): number => times;

/** The same person is back: what waits goes on. */
export function sessionIsBack(): void {
  times++;
  const calls = waiting;
  waiting = [];
  for (const go of calls) go();
}

/** Waits until the same person is back. @throws the signal's reason when nobody needs the answer any more */
export function untilBack(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    waiting.push(resolve);
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
