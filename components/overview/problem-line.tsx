import { type ReactNode, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { useExplainFailure } from "@/components/ui/explain-failure";
import { focusLater } from "@/components/ui/focus-later";
import { useToasts } from "@/components/ui/toasts";
import { useHydrated } from "@/components/ui/use-hydrated";

export interface LineResult {
  /** What was done, for the line and the toast. */
  words: string;
  /** Whether the action may be needed again: its button stays. */
  repeatable?: boolean;
}

interface LineAction {
  label: string;
  /** What the button is about, for screen readers: "Retry now: ada@example.com". */
  about: string;
  /** Does it. @throws what the line explains after `failed` */
  run: () => Promise<LineResult>;
  failed: string;
}

interface ProblemLineProps {
  children: ReactNode;
  /** The actions that this user may take. */
  actions?: readonly LineAction[];
  /** In place of actions that run: a link or a button that opens a sheet. */
  control?: ReactNode;
}

/** One problem and its actions, which run in place. Says what was done until the problem is gone. */
export function ProblemLine({ children, actions = [], control }: ProblemLineProps) {
  const line = useRef<HTMLLIElement>(null);
  const toasts = useToasts();
  const hydrated = useHydrated();
  const explainFailure = useExplainFailure();
  /** The label of the action that runs. */
  const [pending, setPending] = useState<string | null>(null);
  /** Here and not in a toast, which could lie over the next action. */
  const [failure, setFailure] = useState<string | null>(null);
  const [done, setDone] = useState<{ label: string; words: string } | null>(null);

  async function start({ run, failed, label }: LineAction): Promise<void> {
    // Now, because the line may be gone when the action is done.
    const focusNext = nextButtonOf(line.current);
    setPending(label);
    setFailure(null);
    try {
      const { words, repeatable } = await run();
      if (!repeatable) setDone({ label, words });
      toasts.add({ title: words });
      focusNext();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      setFailure(`${failed}: ${explainFailure(error)}`);
    } finally {
      setPending(null);
    }
  }

  return (
    <li
      ref={line}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-kumo-hairline py-2.5 pr-4 pl-12"
    >
      <div className="min-w-0 flex-1 basis-56 text-base wrap-anywhere text-kumo-default">
        {children}
        {failure !== null && (
          <span role="alert" className="block text-sm text-kumo-danger">
            {failure}
          </span>
        )}
      </div>
      {/* Its script may load after the page's own. */}
      <fieldset disabled={!hydrated} className="contents">
        {control ??
          actions.map((one, index) =>
            done?.label === one.label ? (
              <p key={one.label} className="text-sm text-kumo-subtle">
                {done.words}
              </p>
            ) : (
              <Button
                // biome-ignore lint/suspicious/noArrayIndexKey: a button keeps the focus when its action is replaced by another.
                key={index}
                variant="secondary"
                loading={pending === one.label}
                disabled={pending !== null && pending !== one.label}
                aria-label={one.about}
                className="ignores-double-click max-sm:h-11"
                onClick={() => void start(one)}
              >
                {one.label}
              </Button>
            ),
          )}
      </fieldset>
    </li>
  );
}

/**
 * The button of a line that was done disappears.
 * @returns gives the focus to the next line's button, else to the page; not if the focus has moved on
 */
function nextButtonOf(line: HTMLLIElement | null): () => void {
  const lines = [...document.querySelectorAll<HTMLElement>("[data-problems] li")];
  const after = line ? lines.slice(lines.indexOf(line) + 1) : [];
  return () =>
    focusLater(() => {
      const next = after
        .map((each) => each.querySelector<HTMLElement>("button:enabled"))
        .find((button) => button?.isConnected && button.checkVisibility());
      if (!next) document.getElementById("content")?.focus({ preventScroll: true });
      return next;
    }, "if-lost");
}
