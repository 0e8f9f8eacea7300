import { freePort } from "./launch";

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Scraped {
  text: string;
  /** The names of all metrics, as `# TYPE` lines have them. */
  families: string[];
  samples: Sample[];
  /** The sum of the samples with this name and these labels; null without one. */
  value(name: string, labels?: Record<string, string>): number | null;
}

/** Reads Prometheus' text format. */
export function parseMetrics(text: string): Scraped {
  const families = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = ""]) => name);
  const samples = text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, name = "", labels = "", value = ""] = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (name === "") throw new Error(`Not a sample: ${line}`);
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = "", text = ""]) => [key, text]);
      return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) };
    });
  const value = (name: string, labels: Record<string, string> = {}) => {
    const wanted = Object.entries(labels);
    const found = samples.filter((one) => one.name === name && wanted.every(([key, text]) => one.labels[key] === text));
    return found.length === 0 ? null : found.reduce((sum, one) => sum + one.value, 0);
  };
  return { text, families, samples, value };
}

/** Settings for metrics on a free port, and a function that reads them. */
export async function metricsAt() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/metrics`;
  const settings = { METRICS_PORT: String(port), METRICS_HOST: "127.0.0.1" };
  const scrape = async () => {
    // Not over a kept connection, which the server may just be closing.
    const response = await fetch(url, { headers: { Connection: "close" } });
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    return parseMetrics(await response.text());
  };
  return { url, settings, scrape };
}
