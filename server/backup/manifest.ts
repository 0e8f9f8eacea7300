import { hkdfSync } from "node:crypto";
import { z } from "zod";

/** An archive's first entry: what a restore has to know before it begins. */
export const manifestSchema = z.object({
  format: z.literal(1),
  created_at: z.iso.datetime(),
  /** The version of Paydesk and of PostgreSQL that wrote it. */
  paydesk: z.string(),
  postgres: z.string(),
  /** Identifies APP_SECRET without revealing it. */
  secret: z.string(),
  /** Names of the settings that were set. Never their values. */
  settings: z.array(z.string()),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  partitions: z.array(z.object({ name: z.string(), parent: z.string(), bound: z.string() })),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** The last entry but the checksums: what is only known when all rows are read. */
export const totalsSchema = z.object({
  /** Rows by table. */
  rows: z.record(z.string(), z.number().int().nonnegative()),
  sequences: z.array(z.object({ name: z.string(), value: z.string().regex(/^-?\d+$/) })),
});

export type Totals = z.infer<typeof totalsSchema>;

/** The archive's entries, in this order. */
export const entryNames = {
  manifest: "manifest.json",
  /** APP_SECRET, if the operator asked for it. */
  secret: "app-secret",
  totals: "totals.json",
  /** As `sha256sum` writes it. */
  checksums: "SHA256SUMS",
};

/** The part of a table: rows in the text format of COPY, compressed. */
export const partName = (table: string, index: number): string =>
  `data/${table}/${String(index).padStart(8, "0")}.copy.gz`;

/** The table of a part's name; null for other entries. */
export const tableOfPart = (entry: string): string | null =>
  /^data\/([^/]+)\/\d{8,}\.copy\.gz$/.exec(entry)?.[1] ?? null;

/** The jobs that wait in the queue, as a table of their own: graphile-worker migrates its tables itself. */
export const queueTable = {
  name: "graphile_worker.jobs",
  columns: ["identifier", "payload", "run_at", "max_attempts", "key", "priority"],
};

export const fingerprintOf = (appSecret: string): string =>
  Buffer.from(hkdfSync("sha256", appSecret, "", "paydesk/backup-fingerprint/v1", 16)).toString("hex");
