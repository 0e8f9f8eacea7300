import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { currentSession } from "@/app/(dashboard)/session";
import { AuthFrame, linkLook } from "@/components/auth/auth-frame";
import { registrationOpen } from "@/lib/registration/service";
import { RegisterForm } from "./register-form";

export const metadata: Metadata = { title: "Register a business" };

export default async function RegisterPage() {
  if (await currentSession()) redirect("/");
  const foot = (
    <>
      Have an account?{" "}
      <Link href="/login" className={linkLook}>
        Sign in
      </Link>
    </>
  );
  if (!registrationOpen())
    return (
      <AuthFrame title="Registration is closed" foot={foot}>
        <p className="text-base leading-relaxed text-kumo-subtle">
          New businesses cannot register here by themselves. Ask whoever runs this Paydesk.
        </p>
      </AuthFrame>
    );
  return (
    <AuthFrame title="Register a business" lead="It begins in test mode: no money moves until you say so." foot={foot}>
      <RegisterForm />
    </AuthFrame>
  );
}
