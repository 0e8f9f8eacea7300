/** What `connections.ts` has opened in this process. */
const shared = globalThis as typeof globalThis & { paydesk?: { end(): Promise<void> } };

/** Ends the connections that this process has opened. Loads no module for that: a command may have opened none. */
export async function disconnect(): Promise<void> {
  await shared.paydesk?.end();
}
