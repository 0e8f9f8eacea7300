import { redirect } from "next/navigation";
import { currentSession } from "@/app/(dashboard)/session";
import { AuthFrame } from "@/components/auth/auth-frame";
import { VerifyForm } from "@/components/auth/verify-form";
import { loginPath } from "@/components/shell/next-path";
import { texts, titled } from "@/messages/server";

export const generateMetadata = titled("verify");

/** Confirming takes a click, because programs that check mails open every link. */
export default async function VerifyPage({ params }: { params: Promise<{ token: string }> }) {
  const t = await texts("auth.verify");
  const { token } = await params;
  const session = await currentSession();
  if (!session) redirect(loginPath(`/verify/${token}`));
  return (
    <AuthFrame
      title={t("title")}
      lead={t.rich("lead", {
        email: () => <b className="font-medium wrap-anywhere text-kumo-default">{session.userEmail}</b>,
      })}
    >
      <VerifyForm token={token} />
    </AuthFrame>
  );
}
