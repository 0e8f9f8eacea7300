import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import type { ReactNode } from "react";

interface CreatedProps {
  title: string;
  text: ReactNode;
  value: string;
  /** Between the text and the value. */
  state?: ReactNode;
  /** Below the buttons. */
  more?: ReactNode;
  children: ReactNode;
}

/** Defined once, so that a new render does not take the focus again. */
const focus = (heading: HTMLElement | null): void => heading?.focus();

export function Created({ title, text, value, state, more, children }: CreatedProps) {
  return (
    <div className="grid max-w-3xl content-start gap-5 overflow-y-auto p-5">
      <div className="flex items-start gap-3">
        <CheckCircleIcon size={24} weight="fill" className="mt-0.5 shrink-0 text-kumo-success" aria-hidden />
        <div className="min-w-0">
          <h3 ref={focus} tabIndex={-1} className="text-[15px] font-semibold text-kumo-strong outline-none">
            {title}
          </h3>
          <p className="text-base wrap-anywhere text-kumo-subtle">{text}</p>
        </div>
      </div>
      {state}
      <p className="rounded-lg bg-kumo-recessed px-3 py-2.5 font-mono text-sm break-all text-kumo-default select-all">
        {value}
      </p>
      <div className="flex flex-wrap gap-2 max-sm:[&>a]:min-h-11 max-sm:[&>button]:min-h-11">{children}</div>
      {more}
    </div>
  );
}
