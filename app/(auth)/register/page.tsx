import { redirect } from "next/navigation";
import { currentSession } from "@/app/(dashboard)/session";
import { AuthFrame, linkClass } from "@/components/auth/auth-frame";
import { RegisterForm } from "@/components/auth/register-form";
import { Link } from "@/components/ui/link";
import { registrationOpen } from "@/lib/resources/registrations/service";
import { texts, titled } from "@/messages/server";

export const generateMetadata = titled("register");

export default async function RegisterPage() {
  const t = await texts("auth.register");
  if (await currentSession()) redirect("/");
  const foot = (
    <>
      {t("haveAccount")}{" "}
      <Link href="/login" className={linkClass}>
        {t("signIn")}
      </Link>
    </>
  );
  if (!registrationOpen())
    return (
      <AuthFrame title={t("closed")} foot={foot}>
        <p className="text-base leading-relaxed text-kumo-subtle">{t("closedText")}</p>
      </AuthFrame>
    );
  return (
    <AuthFrame title={t("title")} lead={t("lead")} foot={foot}>
      <RegisterForm />
    </AuthFrame>
  );
}
