import type { FormEvent, ReactNode } from "react";
import { Alert } from "./alert";
import { Button } from "./button";

interface SheetFormProps {
  label: string;
  action: string;
  problem: string | null;
  busy: boolean;
  onSubmit: (event: FormEvent) => void;
  children: ReactNode;
}

export function SheetForm({ label, action, problem, busy, onSubmit, children }: SheetFormProps) {
  return (
    <form noValidate aria-label={label} className="flex min-h-0 flex-1 flex-col" onSubmit={onSubmit}>
      <div className="grid min-h-0 flex-1 content-start gap-4 overflow-y-auto p-5">
        <Alert>{problem}</Alert>
        {children}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a double click's second half must not take the focus from the next step's first field */}
      <div
        onMouseDown={(event) => event.target === event.currentTarget && event.preventDefault()}
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
