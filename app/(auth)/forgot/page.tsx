import { AuthFrame, linkClass } from "@/components/auth/auth-frame";
import { ForgotForm } from "@/components/auth/forgot-form";
import { Link } from "@/components/ui/link";
import { texts, titled } from "@/messages/server";

export const generateMetadata = titled("forgot");

export default async function ForgotPage() {
  const t = await texts("auth.forgot");
  return (
    <AuthFrame
      title={t("title")}
      lead={t("lead")}
      foot={
        <Link href="/login" className={linkClass}>
          {t("back")}
        </Link>
      }
    >
      <ForgotForm />
    </AuthFrame>
  );
}
