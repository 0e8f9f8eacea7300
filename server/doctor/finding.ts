export interface Finding {
  state: "ok" | "warning" | "problem";
  says: string;
  /** What to do about it. */
  todo?: string;
}

export type Check = () => Promise<Finding[]>;

export const ok = (says: string): Finding => ({ state: "ok", says });
export const warning = (says: string, todo: string): Finding => ({ state: "warning", says, todo });
export const problem = (says: string, todo: string): Finding => ({ state: "problem", says, todo });

/** The text of an error, with what the system said below it: fetch hides why it failed. */
export const reasonOf = (error: unknown): string => {
  const { message, code, cause } = error as Error & { code?: string; cause?: Error & { code?: string } };
  const text = message || String(code); // an error of several addresses has no message
  return cause ? `${text} (${cause.code ?? cause.message})` : text;
};

/** Names the setting of an address other than DATABASE_URL in an error, so that the checks that do not need it go on. */
export const nameSetting =
  (setting: string) =>
  (error: unknown): never => {
    throw new Error(`${setting} cannot be used: ${reasonOf(error)}`);
  };

const units = [
  [86_400_000, "days"],
  [3_600_000, "hours"],
  [60_000, "minutes"],
  [1_000, "seconds"],
] as const;

/** "3 hours", of milliseconds. */
export function ageText(ms: number): string {
  const [size, unit] = units.find(([size]) => ms >= 2 * size) ?? units[3];
  return `${Math.round(ms / size)} ${unit}`;
}

/** "1.5 GB", of bytes. */
export const sizeText = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.ceil(bytes / 1e6)} MB`;
