import type { Metadata } from "next";
import Link from "next/link";
import { AuthFrame, linkLook } from "@/components/auth/auth-frame";
import { ForgotForm } from "./forgot-form";

export const metadata: Metadata = { title: "Forgotten password" };

export default function ForgotPage() {
  return (
    <AuthFrame
      title="Forgotten password"
      lead="We send you an address at which you set a new one."
      foot={
        <Link href="/login" className={linkLook}>
          Back to the sign-in
        </Link>
      }
    >
      <ForgotForm />
    </AuthFrame>
  );
}
