import { CaretDownIcon } from "@phosphor-icons/react/dist/ssr/CaretDown";
import { type ComponentProps, type ReactNode, useEffect, useId, useImperativeHandle, useRef } from "react";
import { useTranslations } from "use-intl";
import { useSaving } from "./saving";

export interface ControlProps {
  id: string;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
}

export interface FieldProps {
  label: string;
  error?: string;
  hint?: ReactNode;
  optional?: boolean;
  /** Stands at the end of the label's line. It is not part of the label. */
  aside?: ReactNode;
  className?: string;
  children: (control: ControlProps) => ReactNode;
}

export function Field({ label, error, hint, optional, aside, className = "", children }: FieldProps) {
  const t = useTranslations("ui");
  const id = useId();
  const describedBy = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  const labelElement = (
    <label htmlFor={id} className="flex items-baseline gap-1.5 text-base font-medium text-kumo-default">
      {label}
      {optional && <span className="text-sm font-normal text-kumo-subtle">{t("optional")}</span>}
    </label>
  );
  return (
    <div className={`grid content-start gap-1.5 ${className}`}>
      {aside ? (
        <div className="flex items-baseline justify-between gap-3">
          {labelElement}
          {aside}
        </div>
      ) : (
        labelElement
      )}
      {children({ id, "aria-invalid": error !== undefined, "aria-describedby": describedBy })}
      {error ? (
        <p id={`${id}-error`} className="text-sm leading-snug text-kumo-danger">
          {error}
        </p>
      ) : (
        hint && (
          <p id={`${id}-hint`} className="text-sm leading-snug text-kumo-subtle">
            {hint}
          </p>
        )
      )}
    </div>
  );
}

// Looks like the library's inputs, which would load far more script. 16 px on a phone: iOS zooms into a focused field
// with a smaller font.
const surface =
  "h-9 w-full rounded-lg border-0 bg-kumo-control px-3 text-base text-kumo-default ring outline-none focus:ring-[1.5px] disabled:cursor-not-allowed disabled:bg-transparent max-sm:text-[16px] kumo-input-placeholder";

const look = (invalid: ComponentProps<"input">["aria-invalid"]): string =>
  `${surface} ${invalid === true ? "ring-kumo-danger" : "ring-kumo-line focus:ring-kumo-focus/50"}`;

const fixed = "read-only:bg-transparent read-only:text-kumo-subtle";

export function TextInput({ className = "", readOnly, ...props }: ComponentProps<"input">) {
  const saving = useSaving();
  return (
    <input
      {...props}
      readOnly={saving || readOnly}
      className={`${look(props["aria-invalid"])} ${fixed} pointer-coarse:h-11 ${className}`}
    />
  );
}

export function EmailInput(props: ComponentProps<"input">) {
  return <TextInput autoComplete="off" {...props} type="email" autoCapitalize="none" spellCheck={false} />;
}

export function TextArea({ className = "", readOnly, ...props }: ComponentProps<"textarea">) {
  const saving = useSaving();
  return (
    <textarea
      {...props}
      readOnly={saving || readOnly}
      className={`${look(props["aria-invalid"])} ${fixed} h-auto min-h-18 resize-y py-2 leading-normal ${className}`}
    />
  );
}

/** The platform's select: its search works better for 150 currencies than a custom list. */
export function NativeSelect({ className = "", ref, ...props }: ComponentProps<"select">) {
  const select = useRef<HTMLSelectElement>(null);
  useImperativeHandle(ref, () => select.current as HTMLSelectElement);
  const first = useRef(props.value);
  /** React does not see the event of a choice made before hydration, but leaves the choice on the screen. */
  useEffect(() => {
    const { current } = select;
    const chosen = current?.value;
    const offered = [...(current?.options ?? [])].some(({ value }) => value === String(first.current));
    if (!current || !offered || chosen === undefined || chosen === String(first.current)) return;
    // The router's own effect, which lets it see a new address, runs after this one.
    const timer = setTimeout(() => {
      current.value = chosen;
      current.dispatchEvent(new Event("change", { bubbles: true }));
    });
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={`relative ${className}`}>
      <select
        {...props}
        ref={select}
        className={`${look(props["aria-invalid"])} appearance-none truncate pr-8 pointer-coarse:h-11`}
      />
      <CaretDownIcon
        size={14}
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-kumo-subtle"
      />
    </div>
  );
}
