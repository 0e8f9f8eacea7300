export function startTestPostgres(): Promise<() => Promise<void>>;
