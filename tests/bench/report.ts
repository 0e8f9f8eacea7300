import { type Measurement, median } from "./load";

const goal = 0.8;
export const mostMb = 250;

/** One task at two servers, round by round. */
export interface Row {
  name: string;
  product: Measurement[];
  floor: Measurement[];
}

/** Median over the rounds of what one round of ours is to the round of the floor beside it. */
export const ratio = ({ product, floor }: Row): number =>
  median(product.map(({ perSecond }, round) => perSecond / (floor[round]?.perSecond ?? Number.NaN)));

const count = (value: number) => Math.round(value).toLocaleString("en");

/** The least of the rounds: what else runs on the machine can only add to it. */
const cpuOf = (all: Measurement[]) => Math.min(...all.map(({ cpu }) => cpu));

const cells = (all: Measurement[]) => [
  count(median(all.map(({ perSecond }) => perSecond))),
  median(all.map(({ p50 }) => p50)).toFixed(1),
  median(all.map(({ p99 }) => p99)).toFixed(1),
  count(cpuOf(all)),
];

export function printRows(rows: Row[]): void {
  printTable([
    ["", "Paydesk/s", "p50 ms", "p99 ms", "CPU µs", "floor/s", "p50 ms", "p99 ms", "CPU µs", "ratio"],
    ...rows.map((row) => [row.name, ...cells(row.product), ...cells(row.floor), ratio(row).toFixed(2)]),
  ]);
}

export function printGoal(rows: Row[]): void {
  const slow = rows.filter((row) => !(ratio(row) >= goal)).map(({ name }) => name);
  const verdict =
    slow.length > 0
      ? `BELOW THE GOAL of ${goal}: ${slow.join(", ")}`
      : `Every row reaches the goal: ${goal} of the floor.`;
  console.log(`\n${verdict}`);
}

/** @param memory of the server, and of the process of the dashboard's pages, in MB */
export function printMemory(memory: number[]): void {
  const verdict = memory.every((mb) => mb <= mostMb) ? "within" : "ABOVE";
  console.log(`\nResident after these requests: ${memory.join(" and ")} MB, ${verdict} the goal of ${mostMb} MB.`);
}

/** By whose code it is, parts of one. */
export interface Split {
  product: Map<string, number>;
  floor: Map<string, number>;
}

/** The CPU time that the rows measured, cut up as the profiles say; what costs most first. */
export function printSplits(rows: Row[], splits: Split[]): void {
  const columns = rows.flatMap(({ product, floor }, index) => [
    { cpu: cpuOf(product), parts: splits[index]?.product },
    { cpu: cpuOf(floor), parts: splits[index]?.floor },
  ]);
  const time = (kind: string) => columns.map(({ cpu, parts }) => cpu * (parts?.get(kind) ?? 0));
  const weight = (kind: string) => time(kind).reduce((a, b) => a + b, 0);
  const kinds = new Set(columns.flatMap(({ parts }) => [...(parts?.keys() ?? [])]));
  const pairs = (times: number[]) =>
    rows.map((_, index) =>
      times
        .slice(2 * index, 2 * index + 2)
        .map(count)
        .join(" | "),
    );
  printTable([
    ["", ...rows.map(({ name }) => name)],
    ...[...kinds].sort((a, b) => weight(b) - weight(a)).map((kind) => [kind, ...pairs(time(kind))]),
    ["together", ...pairs(columns.map(({ cpu }) => cpu))],
  ]);
}

export function printTable(rows: string[][]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows)
    console.log(row.map((cell, at) => (at ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[0] ?? 0))).join("  "));
}
