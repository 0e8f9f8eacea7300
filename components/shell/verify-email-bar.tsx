"use client";

import { EnvelopeSimpleIcon } from "@phosphor-icons/react/dist/ssr/EnvelopeSimple";
import { useTranslations } from "use-intl";
import { useToasts } from "@/components/ui/toasts";
import { call } from "@/lib/client/call";
import { useMutation } from "@/lib/client/use-mutation";

/** Loads its endpoint on demand: the bar is part of every page's frame. */
const resendMail = async () => call((await import("@/lib/resources/account/contract")).emailVerificationEndpoints.send);

export function VerifyEmailBar({ email }: { email: string }) {
  const t = useTranslations("shell.verifyEmail");
  const resend = useMutation({ mutationFn: resendMail });
  const toasts = useToasts();
  const send = () => toasts.report(resend.mutateAsync(undefined), { done: t("sent", { email }), failed: t("failed") });
  return (
    <div className="flex items-start gap-2 border-t border-kumo-hairline bg-kumo-tint px-4 py-2 text-sm text-kumo-default md:px-6">
      <EnvelopeSimpleIcon size={16} className="mt-px shrink-0 text-kumo-subtle" aria-hidden />
      <p className="min-w-0">
        {t.rich("text", { email: () => <b className="font-medium wrap-anywhere text-kumo-strong">{email}</b> })}{" "}
        <button
          type="button"
          className="font-medium text-kumo-strong underline underline-offset-4"
          disabled={resend.isPending}
          onClick={() => void send()}
        >
          {t("resend")}
        </button>
      </p>
    </div>
  );
}
