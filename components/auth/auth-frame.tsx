import type { ReactNode } from "react";
import { Logo } from "@/components/ui/logo";

interface AuthFrameProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  foot?: ReactNode;
}

export function AuthFrame({ title, lead, children, foot }: AuthFrameProps) {
  return (
    <main className="grid min-h-full place-items-center px-4 py-10">
      <div className="w-full max-w-[22rem]">
        <div className="mb-6 flex items-center gap-2.5">
          <Logo size={32} />
          <span className="text-lg font-semibold tracking-tight text-kumo-strong">Paydesk</span>
        </div>
        <div className="rounded-xl bg-kumo-base p-6 shadow-sm ring ring-kumo-line sm:p-7">
          <h1 className="text-lg font-semibold tracking-tight wrap-anywhere text-kumo-strong">{title}</h1>
          {lead && <p className="mt-1 text-base leading-relaxed text-kumo-subtle">{lead}</p>}
          <div className="mt-6">{children}</div>
        </div>
        {foot && <p className="mt-5 text-center text-base text-kumo-subtle">{foot}</p>}
      </div>
    </main>
  );
}

export const linkClass = "font-medium text-(--ink-brand) underline underline-offset-3";
