/** The open page's handler for the end of the session; null when no page watches. */
let onSessionEnd: (() => void) | null = null;

let waitingReads: (() => void)[] = [];

/** Calls `ended` when a call finds that the session has ended. @returns a function that stops watching */
export function watchSession(ended: () => void): () => void {
  onSessionEnd = ended;
  return () => {
    if (onSessionEnd === ended) onSessionEnd = null;
  };
}

/** Stops the prompt to sign in again while the person signs out. @returns a function that resumes watching */
export function pauseSessionWatch(): () => void {
  const before = onSessionEnd;
  onSessionEnd = null;
  return () => {
    onSessionEnd = before;
  };
}

/** Reports that a call was unauthenticated. @returns whether a page handles it */
export function reportSessionEnd(): boolean {
  onSessionEnd?.();
  return onSessionEnd !== null;
}

let signIns = 0;

export const signInCount = (): number => signIns;

/** Resumes the waiting reads after the same person has signed in again. */
export function resumeSession(): void {
  signIns++;
  const reads = waitingReads;
  waitingReads = [];
  for (const resume of reads) resume();
}

/** Waits until the same person has signed in again. @throws the signal's reason when it is aborted */
export function waitForSignIn(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    waitingReads.push(resolve);
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
