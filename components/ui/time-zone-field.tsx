import { type ComponentProps, useDeferredValue } from "react";
import { NativeSelect } from "./field";
import { formField } from "./form-fields";
import { useHydrated } from "./use-hydrated";

export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The browser's own time zone comes first. `chosen` is included even if the browser does not list it. */
export const TimeZoneField = formField(TimeZoneSelect);

function TimeZoneSelect({ chosen, ...props }: ComponentProps<"select"> & { chosen?: string }) {
  // The server's list may differ. Deferred: some 420 options keep a phone busy for long.
  const known = useDeferredValue(useHydrated())
    ? [ownTimeZone(), "UTC", ...Intl.supportedValuesOf("timeZone")]
    : ["UTC"];
  return (
    <NativeSelect {...props}>
      {[...new Set(chosen ? [...known, chosen] : known)].map((zone) => (
        <option key={zone}>{zone}</option>
      ))}
    </NativeSelect>
  );
}
