"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { Popover } from "@cloudflare/kumo/components/popover";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { useEffect, useRef } from "react";
import { Moment } from "@/components/shell/moment";
import { useSheetForm } from "@/components/shell/use-sheet-form";
import { Alert } from "@/components/ui/alert";
import { contractResolver } from "@/components/ui/contract-form";
import { explainFailure } from "@/components/ui/explain-failure";
import { Field, TextInput } from "@/components/ui/field";
import type { FieldErrors } from "@/lib/api/errors";
import { testClockEndpoints } from "@/lib/test-clock/contract";
import { type ReadClock, useAdvanceClock, useTimeZone } from "@/lib/test-clock/queries";
import { Progress } from "./progress";
import { fromField, stepFrom, steps, toField } from "./times";

/** The popover in which the clock of test mode is advanced: by a step, or to a date and time. */
export function AdvanceClock({ clock }: { clock: ReadClock }) {
  const zone = useTimeZone();
  return (
    <Popover.Content
      positionMethod="fixed"
      align="start"
      className="z-30 grid w-80 max-w-[calc(100vw-2rem)] gap-4 !px-5 !py-4"
    >
      <div className="grid gap-1">
        <Popover.Title className="font-semibold text-kumo-strong">Test clock</Popover.Title>
        <Popover.Description
          className="!leading-snug"
          render={(attributes) => (
            <div {...attributes}>
              It shows <Moment at={clock.now} time />. Advance it, and everything that falls due until then happens, in
              its order.
            </div>
          )}
        />
      </div>
      {zone && <Controls clock={clock} zone={zone} />}
      <Progress clock={clock} className="rounded-full" />
    </Popover.Content>
  );
}

interface Values {
  to: string;
}

const reword = (errors: FieldErrors): FieldErrors =>
  errors.to
    ? {
        to: errors.to.map((text) =>
          text.includes("required") ? "Choose a date and time." : text.replace("The to", "The time"),
        ),
      }
    : errors;

function Controls({ clock, zone }: { clock: ReadClock; zone: string }) {
  const advance = useAdvanceClock();
  const toasts = useKumoToastManager();
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

  // When it has arrived, what stands in the field is past: the next midnight takes its place.
  const { setValue } = form;
  const next = useRef(midnight);
  next.current = midnight;
  useEffect(() => {
    if (clock.status === "ready") setValue("to", next.current);
  }, [clock.status, setValue]);

  function step(to: string): void {
    if (busy) return;
    advance.mutate(to, {
      onError: (error) =>
        toasts.add({ title: "The clock was not advanced", description: explainFailure(error), variant: "error" }),
    });
  }

  return (
    <>
      <div className="grid grid-cols-3 gap-2">
        {steps.map(({ label, frequency }) => (
          <Button
            key={label}
            variant="secondary"
            aria-label={`Advance by ${label}`}
            aria-disabled={busy}
            className="w-full justify-center aria-disabled:opacity-50"
            onClick={() => step(stepFrom(clock.now, zone, frequency))}
          >
            + {label}
          </Button>
        ))}
      </div>
      <form noValidate aria-label="Advance to a time" onSubmit={form.onSubmit} className="grid gap-3">
        <Alert>{form.problem}</Alert>
        <Field label="Advance to" error={form.errorOf("to")} hint={`In the time zone ${zone}, at most two years on.`}>
          {(control) => (
            <TextInput
              {...control}
              {...form.register("to")}
              type="datetime-local"
              min={toField(clock.now, zone)}
              autoComplete="off"
            />
          )}
        </Field>
        <Button
          type="submit"
          variant="primary"
          aria-disabled={busy}
          loading={form.busy}
          className="w-full justify-center aria-disabled:opacity-50"
        >
          {clock.status === "advancing" ? "Advancing …" : "Advance"}
        </Button>
      </form>
    </>
  );
}
