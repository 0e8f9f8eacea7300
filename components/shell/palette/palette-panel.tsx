import { CommandPalette } from "@cloudflare/kumo/components/command-palette";
import { XIcon } from "@phosphor-icons/react/dist/ssr/X";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { createPath, creations } from "@/components/shell/creations";
import { rememberPlace } from "@/components/shell/recent-places";
import { Button } from "@/components/ui/button";
import { keepEarlyInput, takeEarlyInput } from "@/components/ui/early-input";
import { useExplainFailure } from "@/components/ui/explain-failure";
import { useToasts } from "@/components/ui/toasts";
import { mayLeave } from "@/components/ui/unsaved";
import type { Choice, Group } from "./choice";
import { ChoiceLine } from "./choice-line";
import { KeyHints } from "./key-hints";
import { useGroups } from "./use-groups";
import { useRunCommand } from "./use-run-command";
import { useSearch } from "./use-search";

/** What the palette shows while it is open: a field, and what its text finds. */
export function PalettePanel({ close }: { close: () => void }) {
  const t = useTranslations("palette");
  const ui = useTranslations("ui");
  const explainFailure = useExplainFailure();
  const toasts = useToasts();
  const router = useRouter();
  const run = useRunCommand();
  const { typed, type, searchFor, hits, isPending, error } = useSearch();
  const text = typed.trim();
  const groups = useGroups(text, hits);
  const first = groups[0]?.items[0];
  /** Enter was pressed before the results were there. */
  const [isAwaited, setAwaited] = useState(false);
  /** The user has moved to a line by the keyboard, and means that line. */
  const hasMoved = useRef(false);

  async function go(choice: Choice, newTab: boolean): Promise<void> {
    close();
    if ("command" in choice) {
      await run(choice.command);
      return;
    }
    try {
      const address = await choice.address();
      if (choice.isPlace) rememberPlace({ address, title: choice.label });
      if (newTab) window.open(address, "_blank", "noopener");
      else if (await mayLeave()) {
        if (creations.some(({ list }) => address === createPath(list))) keepEarlyInput();
        router.push(address);
      }
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      toasts.failed(t("failed"), error);
    }
  }

  const openAwaited = useEffectEvent(() => {
    setAwaited(false);
    if (first && !error) void go(first, false);
  });
  useEffect(() => {
    if (isAwaited && !isPending) openAwaited();
  }, [isAwaited, isPending]);

  function onKey(event: KeyboardEvent): void {
    if (!(event.target instanceof HTMLInputElement)) return;
    // An input method's keys choose no result. Safari ends the composition before the Enter that confirms it: 229 tells.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return void event.stopPropagation();
    if (event.key === "ArrowDown" || event.key === "ArrowUp") hasMoved.current = true;
    const isFirstKnown = first !== undefined && groups[0]?.isCertain;
    if (event.key !== "Enter" || !isPending || isFirstKnown || hasMoved.current) return;
    event.preventDefault();
    event.stopPropagation();
    searchFor(typed);
    setAwaited(true);
  }

  function applyEarlyInput(): void {
    const early = takeEarlyInput();
    if (!early?.text) return;
    searchFor(early.text);
    setAwaited(early.enterPressed);
  }

  return (
    <CommandPalette.Panel<Group, Choice>
      items={groups}
      value={typed}
      onValueChange={(value) => {
        hasMoved.current = false;
        setAwaited(false);
        type(value);
      }}
      itemToStringValue={({ label }) => label}
      getSelectableItems={(groups) => groups.flatMap(({ items }) => items)}
      onSelect={(choice, { newTab }) => void go(choice, newTab)}
      className="max-h-[min(60vh,40rem)] bg-kumo-base max-sm:max-h-[80dvh]"
    >
      <div className="contents" onKeyDownCapture={onKey} onFocusCapture={applyEarlyInput}>
        <CommandPalette.Input
          aria-label={t("label")}
          placeholder={t("placeholder")}
          className="min-w-0 text-ellipsis max-sm:text-[16px]"
          autoComplete="off"
          spellCheck={false}
          trailing={
            <>
              {isPending && <Spinner />}
              {/* A phone has no Escape key. */}
              <Button
                variant="ghost"
                shape="square"
                icon={<XIcon size={18} />}
                aria-label={ui("close")}
                className="-my-2 -mr-2 pointer-coarse:-my-3 sm:hidden"
                onClick={close}
              />
            </>
          }
          // Otherwise Escape would close only the list.
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.preventDefault();
            close();
          }}
        />
      </div>
      <p role="status" className="sr-only">
        {text !== "" && !isPending && t("found", { count: groups.flatMap(({ items }) => items).length })}
      </p>
      {error && (
        <p role="alert" className="border-t border-kumo-hairline px-4 py-2.5 text-sm text-kumo-danger">
          {t("searchFailed", { reason: explainFailure(error) })}
        </p>
      )}
      {/* Not kumo's List: its scrolling frame cannot be reached by keyboard. */}
      <CommandPalette.Results className="min-h-0 scroll-py-2 overflow-y-auto border-t border-kumo-hairline bg-kumo-base p-2 empty:hidden">
        {(group: Group) => (
          <CommandPalette.Group key={group.label} items={group.items}>
            <CommandPalette.GroupLabel>{group.label}</CommandPalette.GroupLabel>
            <CommandPalette.Items>
              {(choice: Choice) => (
                <ChoiceLine key={choice.id} choice={choice} onOpen={(newTab) => void go(choice, newTab)} />
              )}
            </CommandPalette.Items>
          </CommandPalette.Group>
        )}
      </CommandPalette.Results>
      <CommandPalette.Empty>
        {isPending ? t("searching") : t("nothing", { text })}
        {!isPending && isWholeAmount(text) && (
          <span className="mt-1 block">{t("withCents", { amount: `${text}.40` })}</span>
        )}
      </CommandPalette.Empty>
      <KeyHints />
    </CommandPalette.Panel>
  );
}

/**
 * Whether an amount may be meant without its cents, which the search does not find (docs/decisions/0049-search.md). The
 * greatest amount has five digits before them.
 */
const isWholeAmount = (text: string): boolean => /^[1-9][0-9]{0,4}$/.test(text);

function Spinner() {
  return (
    <span
      aria-hidden
      className="size-4 shrink-0 rounded-full border-2 border-kumo-line border-t-kumo-brand motion-safe:animate-spin"
    />
  );
}
