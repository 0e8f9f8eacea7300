import type { ReactNode } from "react";
import { Logo } from "./logo";

export function MessagePage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="grid min-h-full place-items-center px-5 py-16">
      <div className="w-full max-w-sm">
        <Logo size={36} />
        <h1 className="mt-5 text-xl font-semibold tracking-tight text-kumo-strong">{title}</h1>
        <div className="mt-2 grid justify-items-start gap-5 text-base leading-relaxed text-kumo-subtle">{children}</div>
      </div>
    </main>
  );
}
