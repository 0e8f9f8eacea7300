import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";

const editEvent = "paydesk:edit";

interface EditTargetProps {
  /** Starts editing; undefined if that is not possible now. */
  edit: (() => void) | undefined;
  /** The button or menu that starts the same. */
  children: ReactNode;
}

/** Lets the key `e` edit what the button or menu belongs to: the row of a list, the side peek, or the page. */
export function EditTarget({ edit, children }: EditTargetProps) {
  const target = useRef<HTMLSpanElement>(null);
  const onEdit = useEffectEvent(() => edit?.());
  useEffect(() => {
    const listener = () => onEdit();
    const element = target.current;
    element?.addEventListener(editEvent, listener);
    return () => element?.removeEventListener(editEvent, listener);
  }, []);
  return (
    <span ref={target} className="contents" data-edits={edit && ""}>
      {children}
    </span>
  );
}

/**
 * Edits the row that has the focus, else the resource in the side peek, else the page's resource.
 * @returns whether editing has started
 */
export function editSelected(focused: Element | null): boolean {
  const row = focused?.closest("[data-row]");
  const area = row ?? document.querySelector("[data-peek]") ?? document.getElementById("content");
  const targets = [...(area?.querySelectorAll("[data-edits]") ?? [])];
  const target = targets.find((each) => row || !each.closest("[data-row]"));
  target?.dispatchEvent(new CustomEvent(editEvent));
  return target !== undefined;
}
