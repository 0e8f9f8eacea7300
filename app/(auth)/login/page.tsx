import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { currentSession } from "@/app/(dashboard)/session";
import { AuthFrame, linkLook } from "@/components/auth/auth-frame";
import { safeNext } from "@/components/shell/next-path";
import { registrationOpen } from "@/lib/registration/service";
import { LoginForm } from "./login-form";

export const metadata: Metadata = { title: "Sign in" };

export default async function LoginPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[]>>;
}) {
  const { next, ended } = await searchParams;
  const target = safeNext(next);
  if (await currentSession()) redirect(target);
  return (
    <AuthFrame
      title="Sign in"
      lead={ended === "1" ? "Your session has ended. Sign in to go on." : "Welcome back. Use your staff account."}
      foot={
        registrationOpen() && (
          <>
            No account yet?{" "}
            <Link href="/register" className={linkLook}>
              Register a business
            </Link>
          </>
        )
      }
    >
      <LoginForm next={target} />
    </AuthFrame>
  );
}
