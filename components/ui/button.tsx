import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import type { ComponentProps, ReactNode } from "react";
import { useSaving } from "./saving";
import { useFocusAfter } from "./use-focus-after";

const variants = {
  primary: "bg-kumo-brand text-white shadow-xs not-disabled:hover:bg-kumo-brand-hover",
  destructive: "bg-kumo-danger text-white shadow-xs not-disabled:hover:brightness-90",
  secondary: "bg-kumo-base text-kumo-default shadow-xs ring ring-kumo-line not-disabled:hover:bg-kumo-tint",
  ghost: "bg-inherit text-kumo-default not-disabled:hover:bg-kumo-tint",
};

const sizes = {
  sm: { base: "h-6.5 w-max gap-1 rounded-md px-2 text-xs", square: "size-6.5 justify-center rounded-md" },
  base: {
    base: "h-9 w-max gap-1.5 rounded-lg px-3 text-base",
    square: "size-9 justify-center rounded-lg",
  },
  lg: { base: "h-10 w-max gap-2 rounded-lg px-4 text-base", square: "size-10 justify-center rounded-lg" },
};

/** A finger needs 44 px. Buttons with a text are wide enough anyway. */
const touchSizes = { base: "pointer-coarse:min-h-11", square: "pointer-coarse:size-11" };

interface Look {
  variant?: keyof typeof variants;
  size?: keyof typeof sizes;
  /** `square` for an icon button. */
  shape?: "base" | "square";
}

export const buttonVariants = ({ variant = "secondary", size = "base", shape = "base" }: Look = {}): string =>
  `flex shrink-0 items-center font-medium select-none disabled:opacity-50 ${sizes[size][shape]} ${touchSizes[shape]} ${variants[variant]}`;

export interface ButtonProps extends ComponentProps<"button">, Look {
  icon?: ReactNode;
  loading?: boolean;
}

export function Button({
  variant,
  size,
  shape,
  icon,
  loading = false,
  disabled,
  className = "",
  onClick,
  children,
  ...props
}: ButtonProps) {
  const pressed = useFocusAfter(loading);
  const saving = useSaving();
  return (
    <button
      type="button"
      {...props}
      onClick={(event) => {
        if (saving) return; // what it changes would be lost
        pressed(event.currentTarget);
        onClick?.(event);
      }}
      disabled={loading || disabled}
      aria-busy={loading || props["aria-busy"]}
      className={`${buttonVariants({ variant, size, shape })} ${className}`}
    >
      {loading ? (
        <span
          aria-hidden
          className="size-3.5 rounded-full border-2 border-current border-t-transparent motion-safe:animate-spin"
        />
      ) : (
        icon
      )}
      {children}
    </button>
  );
}

interface CreateButtonProps {
  /** The pointer or the focus comes to the button. */
  onReach: () => void;
  onClick: () => void;
  children: ReactNode;
}

/** The page's address with `?create=1` opens the same form, so that the button works before hydration, too. */
export function CreateButton({ onReach, onClick, children }: CreateButtonProps) {
  return (
    <form
      className="contents"
      onPointerOver={onReach}
      onFocus={onReach}
      onSubmit={(event) => {
        event.preventDefault();
        onClick();
      }}
    >
      <Button type="submit" name="create" value="1" variant="primary" icon={<PlusIcon size={16} weight="bold" />}>
        {children}
      </Button>
    </form>
  );
}
