import {
  type ComponentProps,
  cloneElement,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useState,
  useTransition,
} from "react";
import { LoadBoundary } from "./on-demand";
import { useToasts } from "./toasts";

export type InitialFocus = "popup" | "first" | "last";

export interface PopupProps {
  /** The button beside which the popup opens. It gets the focus back. */
  anchor: HTMLElement;
  initialFocus: InitialFocus;
  onClose: () => void;
}

interface PopupButtonProps {
  opens: "menu" | "dialog";
  trigger: ReactElement<ComponentProps<"button">>;
  /** Mounted while the popup is open. */
  children: (popup: PopupProps) => ReactNode;
}

/** Keys do nothing before hydration. A list has many of these buttons, and rendering each again afterwards takes long. */
const enable = (button: HTMLButtonElement | null): void => button?.removeAttribute("aria-disabled");

export function PopupButton({ opens, trigger, children }: PopupButtonProps) {
  const [popup, setPopup] = useState<Omit<PopupProps, "onClose"> | null>(null);
  const [loading, startTransition] = useTransition();
  const close = () => setPopup(null);

  function open(anchor: HTMLElement, initialFocus: InitialFocus): void {
    anchor.focus({ preventScroll: true }); // Safari does not focus a clicked button
    startTransition(() => setPopup({ anchor, initialFocus }));
  }

  return (
    <>
      {cloneElement(trigger, {
        "aria-haspopup": opens,
        "aria-expanded": popup !== null,
        "aria-busy": loading || undefined,
        "aria-disabled": true,
        ref: enable,
        onClick: ({ currentTarget, detail }: MouseEvent<HTMLButtonElement>) => {
          if (popup) close();
          else open(currentTarget, detail === 0 ? "first" : "popup"); // keyboard clicks have detail 0
        },
        onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => {
          if (opens !== "menu" || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
          event.preventDefault();
          open(event.currentTarget, event.key === "ArrowDown" ? "first" : "last");
        },
      })}
      {loading && <CancelOnInput cancel={close} />}
      {popup && <Popup onFailed={close}>{children({ ...popup, onClose: close })}</Popup>}
    </>
  );
}

function CancelOnInput({ cancel }: { cancel: () => void }) {
  useCancelOnInput(true, cancel);
  return null;
}

function Popup({ onFailed, children }: { onFailed: () => void; children: ReactNode }) {
  const toasts = useToasts();
  return (
    <LoadBoundary
      onFailed={() => {
        onFailed();
        toasts.loadFailed();
      }}
    >
      {children}
    </LoadBoundary>
  );
}

/** Cancels a popup that is loading on the next click or key: it would take the focus. */
export function useCancelOnInput(loading: boolean, cancel: () => void): void {
  useEffect(() => {
    if (!loading) return;
    const listener = new AbortController();
    for (const event of ["pointerdown", "keydown"])
      window.addEventListener(event, cancel, { capture: true, signal: listener.signal });
    return () => listener.abort();
  });
}
