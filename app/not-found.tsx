import { LinkButton } from "@cloudflare/kumo/components/button";
import type { Metadata } from "next";
import { MessagePage } from "@/components/ui/message-page";

export const metadata: Metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <MessagePage title="This page does not exist">
      <p>The address may be mistyped, or what was here has moved.</p>
      <LinkButton href="/" variant="secondary">
        Go to the dashboard
      </LinkButton>
    </MessagePage>
  );
}
