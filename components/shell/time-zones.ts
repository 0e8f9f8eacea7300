/** The browser's own zone, and the others that it knows: on the server they may be others. */
export function timeZones(): string[] {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [...new Set([here, "UTC", ...Intl.supportedValuesOf("timeZone")])];
}
