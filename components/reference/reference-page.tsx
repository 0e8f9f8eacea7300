import type { Endpoint } from "@/lib/http/endpoint";
import { anchor, EndpointSection } from "./endpoint-section";

interface Props {
  sections: { name: string; endpoints: Record<string, Endpoint> }[];
  baseUrl: string;
}

const errors: [string, string][] = [
  ["400", "The body is not strict JSON: malformed, a key given twice, not an object, not UTF-8."],
  ["401", "No key, or one that is unknown, revoked or expired."],
  ["403", "The key's scopes do not allow it."],
  ["404", "Absent, deleted, or not yours. A test key sees no live data, and the reverse."],
  ["405", "The route does not support this method. The Allow header lists those it supports."],
  ["409", "The resource's current state does not allow it, or its Idempotency-Key is in use."],
  ["413, 415", "The body is larger than 64 kB, or not application/json."],
  ["422", "One or more fields are not valid. The response names all of them."],
  ["429", "Too many requests. Retry-After says how many seconds to wait."],
  ["500, 503", "An error of ours, or the database is unavailable. Try again after Retry-After seconds."],
];

const slug = (name: string): string => name.toLowerCase().replace(/ /g, "-");

/** Generated from the endpoint table that the routes use too. */
export function ReferencePage({ sections, baseUrl }: Props) {
  return (
    <>
      <a className="skip" href="#start">
        Skip to the reference
      </a>
      <nav aria-label="Contents">
        <p className="brand">
          <strong>Paydesk</strong> API
        </p>
        <ul>
          {["Start", "Responses", "Errors", "Idempotency", "Lists"].map((name) => (
            <li key={name}>
              <a href={`#${slug(name)}`}>{name}</a>
            </li>
          ))}
        </ul>
        {sections.map(({ name, endpoints }) => (
          <div key={name}>
            <h2>{name}</h2>
            <ul>
              {Object.values(endpoints).map((endpoint) => (
                <li key={anchor(endpoint)}>
                  <a href={`#${anchor(endpoint)}`}>{endpoint.summary}</a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <main>
        <h1>API reference</h1>
        <Basics baseUrl={baseUrl} />
        {sections.map(({ name, endpoints }) => (
          <section key={name} aria-labelledby={slug(name)}>
            <h2 id={slug(name)}>{name}</h2>
            {Object.values(endpoints).map((endpoint) => (
              <EndpointSection key={anchor(endpoint)} endpoint={endpoint} baseUrl={baseUrl} />
            ))}
          </section>
        ))}
      </main>
    </>
  );
}

function Basics({ baseUrl }: { baseUrl: string }) {
  return (
    <>
      <h2 id="start">Start</h2>
      <p>
        The address is <code>{baseUrl}</code>. Every request carries <code>Authorization: Bearer KEY</code>, and{" "}
        <code>Content-Type: application/json</code> where it has a body. Keys that begin with <code>sk_test_</code> move
        no money: pay with the test card 4242 4242 4242 4242, any security code and any future date. The same reference
        as OpenAPI: <a href="/api/openapi.json">openapi.json</a>.
      </p>
      <h2 id="responses">Responses</h2>
      <p>
        A successful response has status 200 and <code>success</code>, <code>data</code>, <code>errors</code> and{" "}
        <code>meta</code>. Send amounts in cents (<code>"1050"</code>). Responses have them in units of the currency (
        <code>10.5</code>), and in cents as <code>amount_cents</code>. Timestamps are UTC, to the microsecond. A field
        without a value is null, never absent. Every response has an <code>X-Request-Id</code>: include it when you
        report a problem.
      </p>
      <h2 id="errors">Errors</h2>
      <p>
        A 422 carries <code>message</code> and <code>errors</code>, a list of texts for each field. All others carry{" "}
        <code>message</code> and a <code>code</code> that does not change.
      </p>
      <dl className="errors">
        {errors.map(([status, meaning]) => (
          <div key={status}>
            <dt>{status}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <h2 id="idempotency">Idempotency</h2>
      <p>
        Send an <code>Idempotency-Key</code> of your own (up to 255 characters) with any POST, and the same key again if
        you got no response: within 24 hours you get the stored response, with <code>Idempotency-Replayed: true</code>,
        and nothing is done twice. The same key with another request is a 409.
      </p>
      <h2 id="lists">Lists</h2>
      <p>
        Lists are newest first, 25 items a page. For the next or the previous page, send <code>meta.next_cursor</code>{" "}
        or <code>meta.prev_cursor</code> as <code>cursor</code>. Unknown parameters are a 422. Each key may make 300
        requests a minute, unless the operator sets another limit; <code>X-RateLimit-Remaining</code> says how many are
        left.
      </p>
    </>
  );
}
