import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { Button, buttonVariants } from "@/components/ui/button";
import { useExplainFailure } from "@/components/ui/explain-failure";
import { focusLater, focusPage } from "@/components/ui/focus-later";
import { wasRefused } from "@/components/ui/idempotency-key";
import { useToasts } from "@/components/ui/toasts";
import { useHydrated } from "@/components/ui/use-hydrated";

export interface LineResult {
  /** What was done, for the line and the toast; null if the line's own text says it. */
  words: string | null;
  /** Whether the action may be needed again: its button stays. */
  repeatable?: boolean;
}

type Run = () => Promise<LineResult>;

export interface LineAction {
  label: string;
  /** What the button is about, for screen readers: "Retry now: ada@example.com". */
  about: string;
  /** Does it. @throws what the line explains after `failed` */
  run?: Run;
  /** Opens a question that starts it, in place of `run`. */
  ask?: (start: (run: Run) => Promise<void>) => void;
  failed: string;
  /** In place of `failed`, if the response was lost: it may have happened. */
  unknown?: string;
  /** Takes the place of the button, which keeps its width. */
  instead?: ReactNode;
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

  // The line disappears when its problem is gone, at the latest when the problems are read again.
  useLayoutEffect(() => {
    const { current } = line;
    return () => {
      if (current?.contains(document.activeElement)) focusLater(focusTargetFrom(current), "if-lost");
    };
  }, []);

  function press(action: LineAction, button: HTMLElement): void {
    const { run, ask } = action;
    if (ask) ask((run) => start(action, run, button));
    else if (run) void start(action, run, button);
  }

  async function start(
    { ask, failed, unknown = failed, label }: LineAction,
    run: Run,
    button: HTMLElement,
  ): Promise<void> {
    // Now, because the line may be gone when the action is done.
    const findTarget = focusTargetFrom(line.current);
    setPending(label);
    setFailure(null);
    try {
      const { words, repeatable } = await run();
      if (words !== null) {
        if (!repeatable) setDone({ label, words });
        toasts.add({ title: words });
      }
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      setFailure(`${wasRefused(error) ? failed : unknown}: ${explainFailure(error)}`);
    } finally {
      setPending(null);
      // A closed question may give the focus to another button, on which a second Enter would act.
      focusLater(() => (button.isConnected ? null : findTarget()), ask ? "always" : "if-lost");
    }
  }

  return (
    <li
      ref={line}
      data-problem
      tabIndex={-1}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-kumo-hairline py-2.5 pr-4 pl-12 -outline-offset-2"
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
          actions.map((one) =>
            one.instead ? (
              <span
                key={one.label}
                className="grid *:[grid-area:1/1] [&>button]:w-full [&>button]:justify-center max-sm:[&>button]:h-11"
              >
                <span className={`${buttonVariants()} invisible max-sm:h-11`}>{one.label}</span>
                {one.instead}
              </span>
            ) : done?.label === one.label ? (
              <p key={one.label} className="text-sm text-kumo-subtle">
                {done.words}
              </p>
            ) : (
              <Button
                key={one.label}
                variant="secondary"
                loading={pending === one.label}
                disabled={pending !== null && pending !== one.label}
                aria-label={one.about}
                className="ignores-double-click max-sm:h-11"
                onClick={({ currentTarget }) => press(one, currentTarget)}
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
 * Where the focus goes: never to a button, because a second Enter would press it.
 * @returns a function that finds the line, else the next visible line; without one, it focuses the page
 */
function focusTargetFrom(line: HTMLLIElement | null): () => HTMLElement | undefined {
  const lines = [...document.querySelectorAll<HTMLElement>("[data-problem]")];
  const candidates = line ? lines.slice(lines.indexOf(line)) : [];
  return () => {
    const target = candidates.find((each) => each.isConnected && each.checkVisibility());
    if (!target) focusPage();
    return target;
  };
}
