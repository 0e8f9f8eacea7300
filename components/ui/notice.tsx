import type { ReactNode } from "react";

interface NoticeProps {
  title: string;
  as?: "h1" | "h2";
  action: ReactNode;
  children?: ReactNode;
}

export function Notice({ title, as: Heading = "h2", action, children }: NoticeProps) {
  return (
    <div className="grid grid-cols-1 justify-items-center gap-2 rounded-xl bg-kumo-base px-6 py-16 text-center ring ring-kumo-line">
      <Heading className="max-w-full text-[15px] font-semibold wrap-anywhere text-kumo-strong">{title}</Heading>
      {children && <p className="mb-3 max-w-md text-base leading-relaxed text-balance text-kumo-subtle">{children}</p>}
      {action}
    </div>
  );
}
