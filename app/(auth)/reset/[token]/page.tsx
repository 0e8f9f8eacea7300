import { notFound } from "next/navigation";
import { AuthFrame } from "@/components/auth/auth-frame";
import { ResetForm } from "@/components/auth/reset-form";
import { isResetOpen } from "@/lib/resources/registrations/service";
import { texts, titled } from "@/messages/server";

export const generateMetadata = titled("reset");

export default async function ResetPage({ params }: { params: Promise<{ token: string }> }) {
  const t = await texts("auth.reset");
  const { token } = await params;
  if (!(await isResetOpen(token))) notFound();
  return (
    <AuthFrame title={t("title")} lead={t("lead")}>
      <ResetForm token={token} />
    </AuthFrame>
  );
}
