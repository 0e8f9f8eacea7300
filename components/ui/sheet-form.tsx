import type { FormEvent, KeyboardEvent, ReactNode } from "react";
import { Alert } from "./alert";
import { Button } from "./button";
import { Saving } from "./saving";

interface SheetFormProps {
  label: string;
  action: string;
  problem: string | null;
  busy: boolean;
  onSubmit: (event: FormEvent) => void;
  children: ReactNode;
}

/** The Enter that pressed the button of the sheet is still held down. */
function ignoreHeldEnter(event: KeyboardEvent): void {
  if (event.key === "Enter" && event.repeat && event.target instanceof HTMLInputElement) event.preventDefault();
}

export function SheetForm({ label, action, problem, busy, onSubmit, children }: SheetFormProps) {
  return (
    <form
      noValidate
      aria-label={label}
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={onSubmit}
      onKeyDown={ignoreHeldEnter}
    >
      <div className="grid min-h-0 flex-1 content-start gap-4 overflow-y-auto p-5">
        <Alert>{problem}</Alert>
        <Saving value={busy}>{children}</Saving>
      </div>
      {/* While the button ignores the second half of a double click, that lands here. It must not take the focus from a first field. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it does nothing else */}
      <div
        onMouseDown={(event) => {
          if (event.target === event.currentTarget && event.button === 0) event.preventDefault();
        }}
        className="flex shrink-0 justify-end border-t border-kumo-hairline px-5 py-3.5"
      >
        <Button
          type="submit"
          variant="primary"
          loading={busy}
          className="ignores-double-click max-sm:h-11 max-sm:w-full max-sm:justify-center"
        >
          {action}
        </Button>
      </div>
    </form>
  );
}
