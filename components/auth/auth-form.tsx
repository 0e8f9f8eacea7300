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

/** A form before the sign-in. */
export function AuthForm({ label, action, problem, busy, onSubmit, children }: AuthFormProps) {
  const hydrated = useHydrated();
  return (
    // The method only matters before the script has loaded: then a password must not end up in an address.
    <form method="post" noValidate aria-label={label} className="grid gap-4" onSubmit={onSubmit}>
      <Alert>{problem}</Alert>
      {children}
      <Button
        type="submit"
        variant="primary"
        size="lg"
        className="mt-1 w-full! justify-center"
        loading={busy}
        // Sent by the browser itself, it would go nowhere.
        disabled={!hydrated}
      >
        {action}
      </Button>
    </form>
  );
}
