import type { FormEvent, ReactNode } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useHydrated } from "@/components/ui/use-hydrated";

interface AuthFormProps {
  label: string;
  action: string;
  problem: string | null;
  busy: boolean;
  onSubmit: (event: FormEvent) => void;
  children: ReactNode;
}

export function AuthForm({ label, action, problem, busy, onSubmit, children }: AuthFormProps) {
  const hydrated = useHydrated();
  return (
    // POST, so that a submit before hydration does not put the password into the address.
    <form method="post" noValidate aria-label={label} className="grid gap-4" onSubmit={onSubmit}>
      <Alert>{problem}</Alert>
      {children}
      <Button
        type="submit"
        variant="primary"
        size="lg"
        className="mt-1 w-full! justify-center"
        loading={busy}
        // The server has no handler for the browser's own submit. Enter before hydration is kept (docs/decisions/0081-early-clicks.md).
        disabled={!hydrated}
      >
        {action}
      </Button>
    </form>
  );
}
