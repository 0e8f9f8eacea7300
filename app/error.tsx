"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { MessagePage } from "@/components/ui/message-page";

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <MessagePage title="Something went wrong">
      <p>
        The fault is on our side, and nothing was charged or changed by opening this page. Trying again often helps.
        {error.digest && <span className="mt-2 block font-mono text-sm">Reference: {error.digest}</span>}
      </p>
      <Button variant="secondary" onClick={reset}>
        Try again
      </Button>
    </MessagePage>
  );
}
