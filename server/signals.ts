/**
 * Runs `close` at the first SIGTERM or SIGINT, then exits. A second signal exits at once.
 * @param exitCode the exit code after `close`; 0 without it
 */
export function onSignal(
  close: (signal: NodeJS.Signals) => Promise<void>,
  exitCode: (signal: NodeJS.Signals) => number = () => 0,
): void {
  let stoppingSince = 0;
  const stop = (signal: NodeJS.Signals) => {
    if (stoppingSince) {
      // npm forwards a Ctrl-C that the terminal also sends to this process.
      if (Date.now() - stoppingSince > 500) process.exit(1);
      return;
    }
    stoppingSince = Date.now();
    close(signal).then(
      () => process.exit(exitCode(signal)),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

/** Rejects as soon as the signal is aborted, with its reason. The work itself is not stopped. */
export async function unlessAborted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  signal?.throwIfAborted();
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return Promise.race([work(), aborted]);
}
