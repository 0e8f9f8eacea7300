import { usePathname } from "next/navigation";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useTransition,
} from "react";
import { useTranslations } from "use-intl";
import type { ConfirmOptions, SecretOptions, SheetOptions } from "./dialog-frames";
import { LayerProvider } from "./dialog-layer";
import { useIgnoreClickBehindClosed } from "./double-click";
import { isSearchAsked, keepEarlyInput, takeEarlyInput } from "./early-input";
import { isInLayer, isLayerOpen } from "./focus-later";
import { LoadBoundary, onDemand } from "./on-demand";
import { useCancelOnInput } from "./popup-button";
import { useToasts } from "./toasts";
import { type Loss, setDiscardQuestion } from "./unsaved";

// One script for all frames, so that a sheet's questions and secrets open without another download.
export const loadFrames = () => import("./dialog-frames");
const SheetFrame = onDemand(() => loadFrames().then(({ SheetFrame }) => SheetFrame));
const ConfirmDialog = onDemand(() => loadFrames().then(({ ConfirmDialog }) => ConfirmDialog));
const SecretDialog = onDemand(() => loadFrames().then(({ SecretDialog }) => SecretDialog));
const DiscardQuestion = onDemand(() => loadFrames().then(({ DiscardQuestion }) => DiscardQuestion));

interface Dialogs {
  openSheet: (options: SheetOptions) => () => void;
  /** Asks before an action, then runs it. Resolves when the dialog is closed, whatever the answer was. */
  confirm: (options: ConfirmOptions) => Promise<void>;
  showSecret: (options: SecretOptions) => void;
  /** Opens a dialog with state of its own: an `onDemand` component that renders a `ConfirmDialog`. */
  openDialog: (dialog: ReactNode, onClosed?: () => void) => void;
}

const DialogsContext = createContext<Dialogs | null>(null);

export function useDialogs(): Dialogs {
  const dialogs = useContext(DialogsContext);
  if (!dialogs) throw new Error("There is no DialogsProvider around this component.");
  return dialogs;
}

/** Shows a sheet while the address names it. Not over a search that was asked for since: `onClosed` runs at once. */
export function useSheetWhile(shown: boolean, options: SheetOptions): void {
  const { openSheet } = useDialogs();
  const open = useEffectEvent(openSheet);
  const latest = useEffectEvent(() => options);
  useEffect(() => {
    if (!shown) return;
    if (isSearchAsked()) return queueMicrotask(() => latest().onClosed?.());
    let active = true;
    const close = open({ ...latest(), onClosed: () => active && latest().onClosed?.() });
    return () => {
      active = false;
      close();
    };
  }, [shown]);
}

interface Entry {
  id: number;
  parent: number | null;
  /** The dialog closes when the user leaves this page. */
  path: string;
  open: boolean;
  dialog: ReactNode;
}

/** Shows the sheets and dialogs of a page, one on top of the other. The components that open them keep no state for it. */
export function DialogsProvider({ children }: { children: ReactNode }) {
  const t = useTranslations("ui");
  const toasts = useToasts();
  const path = usePathname();
  const [entries, setEntries] = useState<Entry[]>([]);
  const [loading, startTransition] = useTransition();
  const stack = useRef<{ id: number; path: string; onClosed: (() => void) | undefined }[]>([]);
  const mounted = useRef(new Set<number>());
  const lastId = useRef(0);
  /** The last secret's dialog. No click cancels it while it opens: the secret would be lost. */
  const secretId = useRef(0);

  const { dialogs, close, remove, ask } = useMemo(() => {
    function open(dialog: ReactNode, onClosed?: () => void): () => void {
      const id = ++lastId.current;
      const parent = stack.current.at(-1)?.id ?? null;
      const { pathname } = window.location;
      stack.current.push({ id, path: pathname, onClosed });
      startTransition(() => setEntries((before) => [...before, { id, parent, path: pathname, open: true, dialog }]));
      return () => closeFrom(id);
    }

    function closeFrom(id: number | undefined): void {
      const index = stack.current.findIndex((each) => each.id === id);
      if (index === -1) return;
      takeEarlyInput();
      const closed = stack.current.splice(index);
      const ids = closed.map((each) => each.id);
      const loading = ids.filter((each) => !mounted.current.has(each));
      setEntries((before) =>
        before
          .filter((entry) => !loading.includes(entry.id))
          .map((entry) => (ids.includes(entry.id) ? { ...entry, open: false } : entry)),
      );
      for (const { onClosed } of closed.toReversed()) onClosed?.();
    }

    /** Whether a button of the page was pressed that an open dialog covers. */
    function isPressedBehind(): boolean {
      const { activeElement } = document;
      if (stack.current.length === 0 || !activeElement || activeElement === document.body) return false;
      return isLayerOpen() && !isInLayer(activeElement);
    }

    const remove = (id: number): void => setEntries((before) => before.filter((entry) => entry.id !== id));

    function ask(loss: Loss): { answer: Promise<boolean>; withdraw: () => void } {
      let discard = false;
      let withdraw = (): void => undefined;
      const answer = new Promise<boolean>((resolve) => {
        const onDiscard = () => {
          discard = true;
        };
        withdraw = open(<DiscardQuestion loss={loss} onDiscard={onDiscard} />, () => {
          if (discard) closeFrom(stack.current[0]?.id); // with their unsaved changes
          resolve(discard);
        });
      });
      return { answer, withdraw };
    }

    const dialogs: Dialogs = {
      openSheet: ({ onClosed, isForm = true, ...options }) => {
        if (isPressedBehind()) {
          // Later, because an effect may have asked for the sheet.
          queueMicrotask(() => onClosed?.());
          return () => undefined;
        }
        if (isForm) keepEarlyInput();
        return open(<SheetFrame {...options} />, onClosed);
      },
      confirm: (options) => new Promise((resolve) => open(<ConfirmDialog {...options} />, resolve)),
      showSecret: (options) => {
        open(<SecretDialog {...options} />);
        secretId.current = lastId.current;
      },
      openDialog: (dialog, onClosed) => void open(dialog, onClosed),
    };
    return { dialogs, close: closeFrom, remove, ask };
  }, []);

  useIgnoreClickBehindClosed();
  useCancelOnInput(loading, () => lastId.current !== secretId.current && close(lastId.current));

  useEffect(() => {
    close(stack.current.find((each) => each.path !== path)?.id);
  }, [path, close]);

  useEffect(() => {
    let withdraw = (): void => undefined;
    const askOnce = (loss: Loss) => {
      withdraw(); // a second question replaces the first
      const question = ask(loss);
      withdraw = question.withdraw;
      return question.answer;
    };
    setDiscardQuestion(askOnce, () => withdraw());
    return () => setDiscardQuestion(null, () => undefined);
  }, [ask]);

  const renderOn = (parent: number | null): ReactNode =>
    entries
      .filter((entry) => entry.parent === parent)
      .map((entry) => (
        <LoadBoundary
          key={entry.id}
          onFailed={() => {
            close(entry.id);
            remove(entry.id);
            toasts.loadFailed();
          }}
        >
          <LayerProvider
            open={entry.open}
            isNested={entry.parent !== null}
            close={() => close(entry.id)}
            remove={() => remove(entry.id)}
            nested={renderOn(entry.id)}
            onMounted={() => {
              mounted.current.add(entry.id);
              return () => void mounted.current.delete(entry.id);
            }}
          >
            {entry.dialog}
          </LayerProvider>
        </LoadBoundary>
      ));

  return (
    <DialogsContext value={dialogs}>
      {children}
      {renderOn(null)}
      {loading && (
        <p
          role="status"
          className="fixed top-4 left-1/2 z-50 -translate-x-1/2 rounded-lg bg-kumo-base px-4 py-2 text-base text-kumo-default shadow-lg ring ring-kumo-line appears-late"
        >
          {t("loading")}
        </p>
      )}
    </DialogsContext>
  );
}
