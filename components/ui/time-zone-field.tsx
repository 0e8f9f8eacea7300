import type { ComponentProps } from "react";
import { NativeSelect } from "./field";
import { formField } from "./form-fields";
import { useHydrated } from "./use-hydrated";

/** The browser's own time zone. */
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Every time zone to choose from, the browser's own first. `chosen` is one that the browser's list may lack. */
export const TimeZoneField = formField(TimeZoneSelect);

function TimeZoneSelect({ chosen, ...props }: ComponentProps<"select"> & { chosen?: string }) {
  // The server's list may be another.
  const known = useHydrated() ? [ownTimeZone(), "UTC", ...Intl.supportedValuesOf("timeZone")] : ["UTC"];
  return (
    <NativeSelect {...props}>
      {[...new Set(chosen ? [...known, chosen] : known)].map((zone) => (
        <option key={zone}>{zone}</option>
      ))}
    </NativeSelect>
  );
}
