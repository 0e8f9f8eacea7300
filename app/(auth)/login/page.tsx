import { redirect } from "next/navigation";
import { currentSession } from "@/app/(dashboard)/session";
import { AuthFrame, linkClass } from "@/components/auth/auth-frame";
import { LoginForm } from "@/components/auth/login-form";
import { safeNext } from "@/components/shell/next-path";
import { Link } from "@/components/ui/link";
import { registrationOpen } from "@/lib/resources/registrations/service";
import { texts, titled } from "@/messages/server";

export const generateMetadata = titled("login");

export default async function LoginPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[]>>;
}) {
  const t = await texts("auth.signIn");
  const { next, joined: accepted } = await searchParams;
  // An invitation was accepted for another account than the one of the session, if there is one.
  const joined = accepted === "1";
  const target = safeNext(next);
  if (!joined && (await currentSession())) redirect(target);
  return (
    <AuthFrame
      title={t("title")}
      lead={t(joined ? "joined" : "lead")}
      foot={
        registrationOpen() && (
          <>
            {t("noAccount")}{" "}
            <Link href="/register" className={linkClass}>
              {t("register")}
            </Link>
          </>
        )
      }
    >
      <LoginForm next={target} />
    </AuthFrame>
  );
}
