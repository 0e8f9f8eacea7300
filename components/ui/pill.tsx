import type { Icon } from "@phosphor-icons/react";

export const tones = {
  info: "bg-kumo-info-tint text-kumo-info",
  good: "bg-kumo-success-tint text-kumo-success",
  warning: "bg-kumo-warning-tint text-(--ink-warning)",
  bad: "bg-kumo-danger-tint text-kumo-danger",
  quiet: "bg-kumo-tint text-kumo-subtle",
} as const;

export interface Look {
  label: string;
  icon: Icon;
  tone: keyof typeof tones;
}

export function Pill({ label, icon: Icon, tone }: Look) {
  return (
    <span
      className={`inline-flex h-6 max-w-full items-center gap-1 rounded-full pr-2 pl-1.5 text-xs font-medium whitespace-nowrap ${tones[tone]}`}
    >
      <Icon size={14} weight="bold" aria-hidden className="shrink-0" />
      <span className="truncate">{label}</span>
    </span>
  );
}
