import type { ReactNode } from "react";

/** What stands where rows would be: why there are none, and the one thing to do next. */
export function Notice({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-2 rounded-xl bg-kumo-base px-6 py-16 text-center ring ring-kumo-line">
      <h2 className="text-[15px] font-semibold text-kumo-strong">{title}</h2>
      <p className="mb-3 max-w-md text-base leading-relaxed text-balance text-kumo-subtle">{children}</p>
      {action}
    </div>
  );
}
