/** The open page's question whether it is the person; null when no page asks. Resolves to whether they have confirmed it. */
let ask: (() => Promise<boolean>) | null = null;

let asking: Promise<boolean> | null = null;

/** Sets the page's question. @returns a function that withdraws it */
export function onConfirmationRequired(question: () => Promise<boolean>): () => void {
  ask = question;
  return () => {
    if (ask === question) ask = null;
  };
}

/** Asks the person to confirm their identity, once for simultaneous calls. @returns whether they have */
export function askToConfirm(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = null;
  });
  return asking;
}
