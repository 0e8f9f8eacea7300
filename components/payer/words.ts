const brands: Record<string, string> = { visa: "Visa", mastercard: "Mastercard", amex: "American Express" };

/** "Visa ending in 4242" */
export function cardWords(brand: string | null, last4: string | null): string | null {
  if (!brand || !last4) return null;
  return `${brands[brand] ?? brand} ending in ${last4}`;
}

/** A day as people write it, in the business's time zone. */
export function dayWords(at: Date, timezone: string): string {
  return new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: timezone }).format(at);
}

/** "4242 4242 4242 4242", and as American Express prints it for fifteen digits. */
export function groupDigits(number: string): string {
  const parts = number.length === 15 ? /^(.{4})(.{6})(.{5})$/.exec(number)?.slice(1) : number.match(/.{1,4}/g);
  return (parts ?? [number]).join(" ");
}

/** "40 seconds", "12 minutes": rounded up, never less than the time itself. */
export function durationWords(seconds: number): string {
  if (seconds < 100) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
