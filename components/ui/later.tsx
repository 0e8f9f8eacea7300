"use client";

import {
  type ComponentType,
  cloneElement,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
  useEffect,
  useRef,
  useState,
} from "react";
import { useOpening } from "./opening";
import { partOf } from "./part";
import { tellBroken } from "./toasts";

type Load<Props> = () => Promise<ComponentType<Props>>;

/** Which dialog or sheet was asked for last: of two that come late one opens. */
let asked: object | null = null;

const isField = (element: Element | null): boolean => element?.matches("input, textarea, select") === true;

/**
 * What lies above a page, a dialog or a sheet, and is no part of its first load: it is fetched when the browser has nothing
 * else to do, so that it opens at once, without a network too. Not by React.lazy and Suspense, which show what has come only
 * 300 ms later.
 * @param close what closes it again: when it could not be fetched, and when whoever asked for it has gone elsewhere meanwhile
 */
export function later<Props extends { open: boolean }>(
  load: Load<Props>,
  close: (props: Props) => void,
): ComponentType<Props> {
  const part = partOf(load);

  function Asked(props: Props) {
    const { open } = props;
    const [Shown, setShown] = useState(part.here);
    const opening = useOpening(open && Shown !== null);
    const dismiss = useRef<() => void>(() => undefined);
    dismiss.current = () => close(props);
    useEffect(() => {
      if (Shown || !open) return;
      let gone = false;
      const mine = {};
      asked = mine;
      const from = document.activeElement;
      void part.get().then((found) => {
        if (gone) return;
        const now = document.activeElement;
        if (asked !== mine || (now !== from && isField(now))) dismiss.current();
        else if (found) setShown(() => found);
        else {
          tellBroken();
          dismiss.current();
        }
      });
      return () => {
        gone = true;
      };
    }, [Shown, open]);
    return Shown && opening && <Shown {...props} open={opening.open} />;
  }

  // Each row of a list has some: until one is asked for, it costs nothing.
  return function Later(props: Props) {
    const [ever, setEver] = useState(false);
    if (props.open && !ever) setEver(true);
    return ever && <Asked {...props} />;
  };
}

type Trigger = ReactElement<React.ComponentProps<"button">>;

/** How a button was pressed: by which pointer, or by which key. */
type Press = { pointer: string } | { key: string };

export interface Reached {
  trigger: Trigger;
  press: Press;
}

/** The last press, of all buttons: what comes late opens only if nothing else was pressed meanwhile. */
let last: Press | null = null;

/**
 * What a button opens beside itself, a menu or a popover. Until it is pressed for the first time there is the button alone:
 * a page has one for each of its rows.
 */
export function onReach<Props extends Reached>(
  opens: "menu" | "dialog",
  load: Load<Props>,
): ComponentType<Omit<Props, "press">> {
  const part = partOf(load);
  return function OnReach(props: Omit<Props, "press">) {
    const [press, setPress] = useState<Press | null>(null);
    const [coming, setComing] = useState(false);
    const pointer = useRef("");
    const Opened = part.here();
    if (press && Opened) return <Opened {...(props as Props)} press={press} />;

    async function open(how: Press, button: HTMLButtonElement): Promise<void> {
      last = how;
      button.focus({ preventScroll: true }); // which not every browser does by itself
      setComing(true);
      const found = await part.get();
      setComing(false);
      const { activeElement } = document;
      // Whoever has gone elsewhere meanwhile is not called back.
      if (last !== how || activeElement !== button) return;
      if (found) setPress(how);
      else tellBroken();
    }
    return cloneElement(props.trigger, {
      "aria-haspopup": opens,
      "aria-expanded": false,
      "aria-busy": coming || undefined,
      onPointerEnter: () => void part.get(),
      onFocus: () => void part.get(),
      // Not every browser's click says by what it was.
      onPointerDown: ({ pointerType }: PointerEvent) => {
        pointer.current = pointerType;
      },
      onClick: ({ detail, currentTarget }: MouseEvent<HTMLButtonElement>) =>
        void open(detail === 0 ? { key: "Enter" } : { pointer: pointer.current || "mouse" }, currentTarget),
      onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => {
        const { key, currentTarget } = event;
        if (key === "Escape") last = null;
        if (opens !== "menu" || (key !== "ArrowDown" && key !== "ArrowUp")) return;
        event.preventDefault();
        void open({ key }, currentTarget);
      },
    });
  };
}

/** For what was reached for: its button takes the first one's place, and is pressed as that was. */
export function useReached({ trigger, press }: Reached): Trigger {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    let gone = false;
    queueMicrotask(() => {
      if (gone || !button.current) return;
      button.current.focus({ preventScroll: true });
      repeat(press, button.current);
    });
    return () => {
      gone = true;
    };
  }, [press]);
  return cloneElement(trigger, { ref: button });
}

/** All that a browser does when somebody presses: what opens looks a little different for each. */
function repeat(press: Press, button: HTMLButtonElement): void {
  if ("key" in press) {
    if (press.key === "Enter") button.click();
    else button.dispatchEvent(new window.KeyboardEvent("keydown", { key: press.key, bubbles: true, cancelable: true }));
    return;
  }
  const pointer = { bubbles: true, cancelable: true, pointerType: press.pointer, isPrimary: true, detail: 1 };
  button.dispatchEvent(new window.PointerEvent("pointerdown", pointer));
  button.dispatchEvent(new window.MouseEvent("mousedown", pointer));
  button.dispatchEvent(new window.PointerEvent("pointerup", pointer));
  button.dispatchEvent(new window.MouseEvent("mouseup", pointer));
  button.dispatchEvent(new window.PointerEvent("click", pointer));
}
