import type { Endpoint } from "@/lib/http/endpoint";
import { failures, forPeople, jsonSchema } from "@/lib/http/openapi";
import { CodeSample, type Sample } from "./code-sample";
import { csvExample } from "./csv-example";
import { Prose } from "./prose";
import { type Language, languages, sampleIn, sampleRequest } from "./samples";
import { SchemaTable } from "./schema-table";

export const anchor = ({ method, path }: Endpoint): string => `${method}${path}`.toLowerCase().replace(/[^a-z]+/g, "-");

/** "/api/payment-links": the path as callers write it. */
export const fullPath = ({ path }: Pick<Endpoint, "path">): string => `/api${path}`;

/** null for endpoints of signed-in people: no key can call them. */
export function sampleOf(endpoint: Endpoint, baseUrl: string): Sample | null {
  if (forPeople(endpoint)) return null;
  const request = sampleRequest(endpoint, baseUrl);
  const texts = Object.fromEntries(languages.map((language) => [language, sampleIn(language, request)]));
  return { id: anchor(endpoint), texts: texts as Record<Language, string> };
}

function answer(endpoint: Endpoint): string {
  if (endpoint.csv) return csvExample(endpoint);
  const { list, example } = endpoint;
  const meta = { timestamp: "2026-11-21 09:30:00 UTC", timezone: "UTC" };
  const page = { per_page: 25, next_cursor: null, prev_cursor: null };
  const data = list ? [example.data] : example.data;
  return JSON.stringify({ success: true, data, errors: null, meta: list ? { ...meta, ...page } : meta }, null, 2);
}

interface Props {
  endpoint: Endpoint;
  baseUrl: string;
  language: Language;
}

export function EndpointSection({ endpoint, baseUrl, language }: Props) {
  const id = anchor(endpoint);
  const sample = sampleOf(endpoint, baseUrl);
  return (
    <section aria-labelledby={id} className="endpoint">
      <h3 id={id}>{endpoint.summary}</h3>
      <p className="line">
        <span className={`method ${endpoint.method.toLowerCase()}`}>{endpoint.method}</span>
        <code>{fullPath(endpoint)}</code>
      </p>
      {endpoint.description && <Prose>{endpoint.description}</Prose>}
      <p className="soft">
        {endpoint.scope === null ? (
          "No key is needed. "
        ) : (
          <>
            Scope <code>{endpoint.scope}</code>
            {endpoint.alsoRequires && (
              <>
                {" "}
                and <code>{endpoint.alsoRequires}</code>
              </>
            )}
            {sample ? ". " : ", which only people who are signed in to the dashboard can have. No key can call it. "}
          </>
        )}
        Errors: {failures(endpoint).join(", ")}.{endpoint.conflicts && ` 409: ${endpoint.conflicts}`}
      </p>
      {endpoint.body && <SchemaTable id={id} schema={jsonSchema(endpoint.body, "input")} caption="Body" />}
      {endpoint.query && (
        <SchemaTable id={id} schema={jsonSchema(endpoint.query, "input")} caption="Query parameters" />
      )}
      {sample && <CodeSample sample={sample} language={language} path="/docs" />}
      <details>
        <summary>Example response</summary>
        <pre>{answer(endpoint)}</pre>
      </details>
    </section>
  );
}
