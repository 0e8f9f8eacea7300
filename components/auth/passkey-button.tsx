import { FingerprintIcon } from "@phosphor-icons/react/dist/ssr/Fingerprint";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { useHydrated } from "@/components/ui/use-hydrated";
import { canUsePasskeys } from "@/lib/client/passkeys";

/** A wide button that uses a passkey. Absent where the browser has none. */
export function PasskeyButton({ run, children }: { run: () => Promise<unknown>; children: ReactNode }) {
  const hydrated = useHydrated();
  const [busy, setBusy] = useState(false);
  if (!hydrated || !canUsePasskeys()) return null;
  return (
    <Button
      variant="secondary"
      size="lg"
      className="w-full! justify-center"
      icon={<FingerprintIcon size={18} />}
      loading={busy}
      onClick={() => {
        setBusy(true);
        void run().finally(() => setBusy(false));
      }}
    >
      {children}
    </Button>
  );
}
