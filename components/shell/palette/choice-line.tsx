import { CommandPalette } from "@cloudflare/kumo/components/command-palette";
import type { Choice } from "./choice";

interface ChoiceLineProps {
  choice: Choice;
  onOpen: (newTab: boolean) => void;
}

export function ChoiceLine({ choice, onOpen }: ChoiceLineProps) {
  const { icon: Icon, label, detail, aside } = choice;
  return (
    <CommandPalette.Item
      value={choice}
      className="data-[highlighted]:bg-kumo-tint max-sm:min-h-11"
      onClick={(event) => onOpen(event.metaKey || event.ctrlKey)}
    >
      <Icon size={18} aria-hidden className="shrink-0 text-kumo-subtle" />
      <span className="flex min-w-0 flex-1 flex-col">
        <bdi className="truncate">{label}</bdi>{" "}
        {detail && <span className="text-sm text-kumo-subtle max-sm:wrap-anywhere sm:truncate">{detail}</span>}
      </span>
      {aside && (
        <span className="flex shrink-0 flex-col items-end gap-1 sm:flex-row-reverse sm:items-center sm:gap-3">
          {aside}
        </span>
      )}
    </CommandPalette.Item>
  );
}
