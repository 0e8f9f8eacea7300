import { fromField } from "@/components/test-clock/times";

const isDay = (value: string | null | undefined): value is string => /^\d{4}-\d{2}-\d{2}$/.test(value ?? "");

/** Days of an address as they may be sent; what is no day is left out. */
export function readDays(params: URLSearchParams): { created_from?: string; created_to?: string } {
  const [created_from, created_to] = [params.get("created_from"), params.get("created_to")];
  return { ...(isDay(created_from) && { created_from }), ...(isDay(created_to) && { created_to }) };
}

/** Days of the business's time zone as the API's bounds: the second one counts whole. */
export function daysAsInstants<Filter extends { created_from?: string; created_to?: string }>(
  { created_from, created_to, ...rest }: Filter,
  zone: string,
) {
  const next = created_to && new Date(Date.parse(`${created_to}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  const end = next && new Date(Date.parse(fromField(`${next}T00:00`, zone)) - 1).toISOString();
  return {
    ...rest,
    ...(created_from && { created_from: fromField(`${created_from}T00:00`, zone) }),
    // The last microsecond of the day: the API's bounds are inclusive.
    ...(end && { created_to: end.replace("999Z", "999999Z") }),
  };
}
