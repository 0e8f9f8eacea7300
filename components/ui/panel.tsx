import type { ReactNode } from "react";

interface PanelProps {
  id?: string;
  title: string;
  lead: ReactNode;
  children: ReactNode;
}

export function Panel({ id, title, lead, children }: PanelProps) {
  return (
    <section
      id={id}
      aria-label={title}
      className="grid scroll-mt-28 gap-5 border-b border-kumo-hairline py-7 first:pt-2 last:border-0 lg:grid-cols-[18rem_minmax(0,1fr)] lg:gap-12"
    >
      <div>
        <h2 className="text-[15px] font-semibold text-kumo-strong">{title}</h2>
        <div className="mt-1 text-base leading-relaxed text-kumo-subtle">{lead}</div>
      </div>
      <div className="min-w-0 max-w-2xl">{children}</div>
    </section>
  );
}
