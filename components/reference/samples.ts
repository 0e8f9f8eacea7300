import { curlCommand } from "@/components/requests/curl";
import { type Endpoint, examplePath } from "@/lib/http/endpoint";

export const languages = ["curl", "typescript", "python", "php"] as const;
export type Language = (typeof languages)[number];

export const languageNames: Record<Language, string> = {
  curl: "cURL",
  typescript: "TypeScript",
  python: "Python",
  php: "PHP",
};

export const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value);

export interface SampleRequest {
  method: string;
  url: string;
  /** null: none. Without `key`, samples read it from the environment variable KEY. */
  auth: { key?: string } | null;
  headers?: Record<string, string>;
  body: Record<string, unknown> | null;
  csv: boolean;
}

/** The request of the endpoint's example. Endpoints for signed-in people have none: no key can call them. */
export function sampleRequest(endpoint: Endpoint, baseUrl: string): SampleRequest {
  const { method, scope, body, example, csv = false } = endpoint;
  return {
    method,
    url: `${baseUrl}${examplePath(endpoint)}`,
    auth: scope === null ? null : {},
    body: body ? (example.body ?? {}) : null,
    csv,
  };
}

/** A program of a few lines that sends the request and prints the response's data. It fails if the request is refused. */
export const sampleIn = (language: Language, request: SampleRequest): string => writers[language](request);

const writers: Record<Language, (request: SampleRequest) => string> = {
  curl: inCurl,
  typescript: inTypeScript,
  python: inPython,
  php: inPhp,
};

const contentType = (body: SampleRequest["body"]): Record<string, string> =>
  body ? { "Content-Type": "application/json" } : {};

function inCurl({ method, url, auth, headers = {}, body }: SampleRequest): string {
  const command = curlCommand({
    method,
    url,
    key: auth && (auth.key ?? "$KEY"),
    body: body && JSON.stringify(body, null, 2),
  });
  const more = Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`);
  const [first, ...others] = command.split(" \\\n  ");
  return [first, ...more, ...others].join(" \\\n  ");
}

function inTypeScript({ method, url, auth, headers = {}, body, csv }: SampleRequest): string {
  const lines = [
    ...(auth ? [`Authorization: ${auth.key ? `"Bearer ${auth.key}"` : `\`Bearer \${process.env.KEY}\``},`] : []),
    ...Object.entries({ ...contentType(body), ...headers }).map(
      ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)},`,
    ),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(lines.length > 0 ? ["  headers: {", ...lines.map((line) => `    ${line}`), "  },"] : []),
    ...(body ? [`  body: JSON.stringify(${literalIn("typescript", body, 1)}),`] : []),
  ];
  return [
    options.length > 0
      ? `const response = await fetch(${JSON.stringify(url)}, {\n${options.join("\n")}\n});`
      : `const response = await fetch(${JSON.stringify(url)});`,
    "if (!response.ok) throw new Error(await response.text());",
    csv ? "console.log(await response.text());" : "const { data } = await response.json();\nconsole.log(data);",
  ].join("\n");
}

function inPython({ method, url, auth, headers = {}, body, csv }: SampleRequest): string {
  const lines = [
    ...(auth ? [`"Authorization": ${auth.key ? `"Bearer ${auth.key}"` : `f"Bearer {os.environ['KEY']}"`},`] : []),
    ...Object.entries({ ...contentType(body), ...headers }).map(
      ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)},`,
    ),
  ];
  return [
    ...(csv && !body ? [] : ["import json"]),
    ...(auth && !auth.key ? ["import os"] : []),
    "import urllib.request",
    "",
    "request = urllib.request.Request(",
    `    ${JSON.stringify(url)},`,
    `    method="${method}",`,
    ...(lines.length > 0 ? ["    headers={", ...lines.map((line) => `        ${line}`), "    },"] : []),
    ...(body ? [`    data=json.dumps(${literalIn("python", body, 1)}).encode(),`] : []),
    ")",
    "with urllib.request.urlopen(request) as response:  # raises HTTPError if refused",
    csv ? "    print(response.read().decode())" : `    print(json.load(response)["data"])`,
  ].join("\n");
}

function inPhp({ method, url, auth, headers = {}, body, csv }: SampleRequest): string {
  const lines = [
    ...(auth ? [auth.key ? `'Authorization: Bearer ${auth.key}',` : `'Authorization: Bearer ' . getenv('KEY'),`] : []),
    ...Object.entries({ ...contentType(body), ...headers }).map(([name, value]) => `${phpText(`${name}: ${value}`)},`),
  ];
  return [
    "<?php",
    `$curl = curl_init(${phpText(url)});`,
    "curl_setopt_array($curl, [",
    ...(method === "GET" ? [] : [`    CURLOPT_CUSTOMREQUEST => '${method}',`]),
    "    CURLOPT_RETURNTRANSFER => true,",
    ...(lines.length > 0 ? ["    CURLOPT_HTTPHEADER => [", ...lines.map((line) => `        ${line}`), "    ],"] : []),
    ...(body ? [`    CURLOPT_POSTFIELDS => json_encode(${literalIn("php", body, 1)}),`] : []),
    "]);",
    "$response = curl_exec($curl);",
    "if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) !== 200) {",
    "    throw new RuntimeException($response ?: curl_error($curl));",
    "}",
    csv ? "echo $response;" : "print_r(json_decode($response, true)['data']);",
  ].join("\n");
}

const phpText = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

interface Notation {
  indent: string;
  text: (text: string) => string;
  constants: [yes: string, no: string, nothing: string];
  map: [open: string, key: (name: string) => string, close: string, empty: string];
}

const notations: Record<"typescript" | "python" | "php", Notation> = {
  typescript: {
    indent: "  ",
    text: JSON.stringify,
    constants: ["true", "false", "null"],
    map: ["{", (name) => `${/^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)}: `, "}", "{}"],
  },
  python: {
    indent: "    ",
    text: JSON.stringify,
    constants: ["True", "False", "None"],
    map: ["{", (name) => `${JSON.stringify(name)}: `, "}", "{}"],
  },
  php: {
    indent: "    ",
    text: phpText,
    constants: ["true", "false", "null"],
    map: ["[", (name) => `${phpText(name)} => `, "]", "new stdClass()"],
  },
};

/** The JSON value as the language writes it. */
function literalIn(language: keyof typeof notations, value: unknown, depth: number): string {
  const { indent, text, constants, map } = notations[language];
  const [yes, no, nothing] = constants;
  if (typeof value === "string") return text(value);
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? yes : no;
  if (value === null || value === undefined) return nothing;
  const lines = (parts: string[]) => parts.map((part) => `\n${indent.repeat(depth + 1)}${part},`).join("");
  const inner = (part: unknown) => literalIn(language, part, depth + 1);
  const end = `\n${indent.repeat(depth)}`;
  if (Array.isArray(value)) {
    const short = `[${value.map(inner).join(", ")}]`;
    return value.every((part) => typeof part !== "object") ? short : `[${lines(value.map(inner))}${end}]`;
  }
  const [open, key, close, empty] = map;
  const entries = Object.entries(value);
  if (entries.length === 0) return empty;
  return `${open}${lines(entries.map(([name, part]) => key(name) + inner(part)))}${end}${close}`;
}
