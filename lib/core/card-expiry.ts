/** Milliseconds since 1970 at which a card expires: its month ends last in UTC-12. @param month 1 to 12 */
export const cardExpiresAt = (year: number, month: number): number => Date.UTC(year, month, 1, 12);
