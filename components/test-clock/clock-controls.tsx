import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { fromField, toField } from "@/components/shell/local-time";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { contractResolver } from "@/components/ui/contract-form";
import { TextField } from "@/components/ui/form-fields";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import type { FieldErrors } from "@/lib/core/errors";
import { testClockEndpoints } from "@/lib/resources/test-clock/contract";
import { type ReadClock, useAdvanceClock } from "@/lib/resources/test-clock/queries";
import type { TextsOf } from "@/messages/texts-of";
import { stepFrom, steps } from "./times";

interface Values {
  to: string;
}

const rewordedBy =
  (t: TextsOf<"testClock.advance">) =>
  (errors: FieldErrors): FieldErrors =>
    errors.to
      ? {
          to: errors.to.map((text) =>
            text.includes("required") ? t("toMissing") : text.replace("The to", "The time"),
          ),
        }
      : errors;

export function ClockControls({ clock, zone }: { clock: ReadClock; zone: string }) {
  const t = useTranslations("testClock.advance");
  const reword = rewordedBy(t);
  const advance = useAdvanceClock();
  const toasts = useToasts();
  const busy = clock.status === "advancing" || advance.isPending;
  const midnight = `${toField(stepFrom(clock.now, zone, "daily"), zone).slice(0, 10)}T00:00`;
  const form = useSheetForm<Values>({
    resolver: contractResolver<Values>(
      testClockEndpoints.advance.body,
      ({ to }) => ({ to: to === "" ? "" : fromField(to, zone) }),
      reword,
    ),
    defaultValues: { to: midnight },
    fields: ["to"],
    reword,
    send: async ({ to }) => {
      if (!busy) await advance.mutateAsync(fromField(to, zone));
    },
  });

  // Once the clock has arrived, the field's time is past, so the next midnight replaces it.
  const { setValue } = form;
  const next = useRef(midnight);
  next.current = midnight;
  useEffect(() => {
    if (clock.status === "ready") setValue("to", next.current);
  }, [clock.status, setValue]);

  function step(to: string): void {
    if (busy) return;
    advance.mutate(to, {
      onError: (error) => toasts.failed(t("failed"), error),
    });
  }

  return (
    <>
      <div className="grid grid-cols-3 gap-2">
        {steps.map((frequency) => (
          <Button
            key={frequency}
            variant="secondary"
            aria-label={t(`stepLabel.${frequency}`)}
            aria-disabled={busy}
            className="w-full! justify-center aria-disabled:opacity-50"
            onClick={() => step(stepFrom(clock.now, zone, frequency))}
          >
            {t(`step.${frequency}`)}
          </Button>
        ))}
      </div>
      <form noValidate aria-label={t("form")} onSubmit={form.onSubmit} className="grid gap-3">
        <Alert>{form.problem}</Alert>
        <TextField
          {...form.field("to")}
          label={t("to")}
          hint={t("toHint", { zone })}
          type="datetime-local"
          min={toField(clock.now, zone)}
        />
        <Button
          type="submit"
          variant="primary"
          aria-disabled={busy}
          loading={form.busy}
          className="w-full! justify-center aria-disabled:opacity-50"
        >
          {t(clock.status === "advancing" ? "busy" : "action")}
        </Button>
      </form>
    </>
  );
}
