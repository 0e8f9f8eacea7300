import { type ComponentProps, type MouseEvent, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { formatMoney } from "@/lib/core/money";
import { type AmountBounds, isInAnotherCurrency, readingsOf } from "@/lib/core/typed-amount";
import { fromCents } from "./amount";
import { Button } from "./button";
import { TextField } from "./form-fields";

interface AmountFieldProps extends Omit<ComponentProps<typeof TextField>, "onInput" | "onFocus"> {
  currency: string;
  bounds: AmountBounds;
  /** Sets the field to the reading that the user chose. */
  onChoose: (amount: string) => void;
}

/** A field for an amount as people type it. Shows how an unusual one is read, and asks if it can be read in two ways. */
export function AmountField({ currency, bounds, onChoose, error, hint, ...props }: AmountFieldProps) {
  const t = useTranslations("ui.amount");
  const [typed, setTyped] = useState("");
  const wasFocused = useRef(false);
  const readings = readingsOf(typed, currency, bounds);
  const isPlain = /^[0-9]*([.,][0-9]{0,2})?$/.test(typed.trim());
  const shown = (cents: string) => formatMoney(Number(cents), currency);
  const several = readings.length > 1;
  const reason = isInAnotherCurrency(typed, currency)
    ? t("otherCurrency", { currency })
    : several
      ? t("either")
      : error;
  return (
    <div className="grid content-start gap-2">
      <TextField
        spellCheck={false}
        inputMode="decimal"
        className="tabular-nums"
        {...props}
        error={error && reason}
        hint={readings[0] && !several && !isPlain ? t("read", { amount: shown(readings[0]) }) : hint}
        onInput={(event) => setTyped(event.currentTarget.value)}
        // What is typed first replaces a filled-in amount.
        onFocus={({ currentTarget }) => {
          if (!wasFocused.current) currentTarget.select();
          wasFocused.current = true;
        }}
      />
      <div aria-live="polite" className="empty:hidden">
        {several && (
          <fieldset className="flex flex-wrap items-center gap-2">
            <legend className="sr-only">{t("either")}</legend>
            <span aria-hidden className="text-sm text-kumo-subtle max-sm:basis-full">
              {t("mean")}
            </span>
            {readings.map((cents) => (
              <Button
                key={cents}
                type="button"
                size="sm"
                variant="secondary"
                className="max-sm:h-11 max-sm:px-3 max-sm:text-base"
                // The field keeps the focus, and is not checked before the choice.
                onMouseDown={(event: MouseEvent) => event.preventDefault()}
                onClick={() => {
                  setTyped("");
                  onChoose(fromCents(Number(cents)));
                }}
              >
                {shown(cents)}
              </Button>
            ))}
          </fieldset>
        )}
      </div>
    </div>
  );
}
