import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { currentSession } from "@/app/(dashboard)/session";
import { safeNext } from "@/components/shell/next-path";
import { Logo } from "@/components/ui/logo";
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
    <main className="grid min-h-full place-items-center px-4 py-10">
      <div className="w-full max-w-[22rem]">
        <div className="mb-6 flex items-center gap-2.5">
          <Logo size={32} />
          <span className="text-lg font-semibold tracking-tight text-kumo-strong">Paydesk</span>
        </div>
        <div className="rounded-xl bg-kumo-base p-6 shadow-sm ring ring-kumo-line sm:p-7">
          <h1 className="text-lg font-semibold tracking-tight text-kumo-strong">Sign in</h1>
          <p className="mt-1 mb-6 text-base text-kumo-subtle">
            {ended === "1" ? "Your session has ended. Sign in to go on." : "Welcome back. Use your staff account."}
          </p>
          <LoginForm next={target} />
        </div>
      </div>
    </main>
  );
}
