"use client";

import type { ComponentProps, ReactNode } from "react";
import { useTranslations } from "use-intl";

// The look of the dashboard's lists: a plain table where there is room, cards where there is none.

/** Of a row's cells: one line, cut off where the column ends. */
export const cell = "h-13 max-w-0 truncate px-3 text-base first:pl-4";

interface TableProps {
  caption: string;
  head: ReactNode;
  /** Below it the table scrolls sideways in its own frame. */
  minWidth?: string;
  children: ReactNode;
}

export function Table({ caption, head, minWidth, children }: TableProps) {
  return (
    <div className="relative scroll-pr-36 overflow-x-auto rounded-xl bg-kumo-base ring ring-kumo-line">
      <table className="w-full table-fixed border-collapse" style={{ minWidth }}>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-kumo-hairline">{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export function Head({ className = "", ...props }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      {...props}
      className={`h-10 px-3 text-left text-sm font-medium text-kumo-subtle first:pl-4 ${className}`}
    />
  );
}

/** A column of buttons has no visible title. */
export function ActionsHead({ className = "" }: { className?: string }) {
  const t = useTranslations("shell.list");
  return (
    <Head className={className}>
      <span className="sr-only">{t("actions")}</span>
    </Head>
  );
}

export function Row({ children }: { children: ReactNode }) {
  return (
    <tr className="border-b border-kumo-hairline bg-kumo-base last:border-0 hover:bg-kumo-elevated">{children}</tr>
  );
}

export function Cards({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line">
      {children}
    </ul>
  );
}

export function Card({ children }: { children: ReactNode }) {
  return (
    <li className="grid grid-cols-1 gap-1 border-b border-kumo-hairline px-4 pt-3.5 pb-2 last:border-0">{children}</li>
  );
}
