import type { Metadata } from "next";
import Link from "next/link";
import { AuthFrame, linkLook } from "@/components/auth/auth-frame";
import { isResetOpen } from "@/lib/registration/service";
import { ResetForm } from "./reset-form";

export const metadata: Metadata = { title: "New password" };

export default async function ResetPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  if (!(await isResetOpen(token)))
    return (
      <AuthFrame
        title="This address no longer works"
        lead="It was used already, is more than an hour old, or is incomplete."
      >
        <Link href="/forgot" className={linkLook}>
          Ask for a new one
        </Link>
      </AuthFrame>
    );
  return (
    <AuthFrame title="New password" lead="Wherever you are signed in, you are signed out by it.">
      <ResetForm token={token} />
    </AuthFrame>
  );
}
