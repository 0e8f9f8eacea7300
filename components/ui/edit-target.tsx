import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";

const editEvent = "paydesk:edit";

interface EditTargetProps {
  /** undefined: it cannot be edited now. */
  edit: (() => void) | undefined;
  /** The button or menu that offers the same. */
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
 * Edits the row that has the focus, else what the side peek shows, else what the page is of.
 * @returns whether there is such a thing, and it can be edited
 */
export function editSelected(focused: Element | null): boolean {
  const row = focused?.closest("[data-row]");
  const area = row ?? document.querySelector("[data-peek]") ?? document.getElementById("content");
  const targets = [...(area?.querySelectorAll("[data-edits]") ?? [])];
  const target = targets.find((each) => row || !each.closest("[data-row]"));
  target?.dispatchEvent(new CustomEvent(editEvent));
  return target !== undefined;
}
