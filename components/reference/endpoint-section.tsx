import { type Endpoint, examplePath } from "@/lib/http/endpoint";
import { failures, forPeople, jsonSchema } from "@/lib/http/openapi";
import { SchemaTable } from "./schema-table";

export const anchor = ({ method, path }: Endpoint): string => `${method}${path}`.toLowerCase().replace(/[^a-z]+/g, "-");

function curl(endpoint: Endpoint, baseUrl: string): string {
  const { method, body, example, scope } = endpoint;
  const url = `${baseUrl}${examplePath(endpoint)}`;
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${url.includes("?") ? `"${url}"` : url}`,
    ...(scope === null || forPeople(endpoint) ? [] : [`-H "Authorization: Bearer $KEY"`]),
    ...(forPeople(endpoint) ? [`-H "Cookie: $SESSION"`] : []),
    ...(body ? [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(example.body, null, 2)}'`] : []),
  ];
  return lines.join(" \\\n  ");
}

function answer({ list, example }: Endpoint): string {
  const meta = { timestamp: "2026-11-21 09:30:00 UTC", timezone: "UTC" };
  const page = { per_page: 25, next_cursor: null, prev_cursor: null };
  const data = list ? [example.data] : example.data;
  return JSON.stringify({ success: true, data, errors: null, meta: list ? { ...meta, ...page } : meta }, null, 2);
}

/** Text in which `backticks` mark code. */
function Prose({ children }: { children: string }) {
  const parts = children.split("`");
  return (
    <p>
      {parts.map((part, index) => {
        const key = `${index} ${part}`;
        return index % 2 === 1 ? <code key={key}>{part}</code> : part;
      })}
    </p>
  );
}

export function EndpointSection({ endpoint, baseUrl }: { endpoint: Endpoint; baseUrl: string }) {
  const id = anchor(endpoint);
  return (
    <section aria-labelledby={id} className="endpoint">
      <h3 id={id}>{endpoint.summary}</h3>
      <p className="line">
        <span className={`method ${endpoint.method.toLowerCase()}`}>{endpoint.method}</span>
        <code>{endpoint.path}</code>
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
            {forPeople(endpoint) ? ", which people have and keys do not. " : ". "}
          </>
        )}
        Can answer {failures(endpoint).join(", ")}.{endpoint.conflicts && ` 409: ${endpoint.conflicts}`}
      </p>
      {endpoint.body && <SchemaTable schema={jsonSchema(endpoint.body, "input")} caption="Body" input />}
      {endpoint.query && <SchemaTable schema={jsonSchema(endpoint.query, "input")} caption="Query parameters" input />}
      <pre>{curl(endpoint, baseUrl)}</pre>
      <details>
        <summary>Example answer</summary>
        <pre>{answer(endpoint)}</pre>
      </details>
    </section>
  );
}
