import { CheckIcon } from "@phosphor-icons/react/dist/ssr/Check";
import { CopyIcon } from "@phosphor-icons/react/dist/ssr/Copy";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { Button, type ButtonProps } from "./button";

interface CopyButtonProps {
  text: string;
  /** The accessible name of an icon button: "Copy the link of Invoice 12". */
  label: string;
  variant?: ButtonProps["variant"];
  children?: string;
}

export function CopyButton({ text, label, variant = "ghost", children }: CopyButtonProps) {
  const t = useTranslations("ui");
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async (): Promise<void> => setCopied(await toClipboard(text));
  const icon = copied ? <CheckIcon size={16} className="text-kumo-success" /> : <CopyIcon size={16} />;
  return (
    <>
      {children ? (
        <Button variant={variant} icon={icon} onClick={() => void copy()}>
          {copied ? t("copied") : children}
        </Button>
      ) : (
        <Button
          variant={variant}
          shape="square"
          size="base"
          icon={icon}
          aria-label={label}
          onClick={() => void copy()}
        />
      )}
      <span role="status" className="sr-only">
        {copied ? t("copied") : ""}
      </span>
    </>
  );
}

/** @returns whether the browser allowed it */
export async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** The clipboard API is missing on plain http (a LAN address). */
function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  const focused = document.activeElement;
  area.value = text;
  area.style.position = "fixed";
  // Inside an open dialog or menu, whose focus trap would otherwise remove the selection.
  (focused?.closest("[role=dialog], [role=menu]") ?? document.body).append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}
