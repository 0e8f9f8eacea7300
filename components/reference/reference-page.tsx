import { CodeSample } from "./code-sample";
import { anchor, EndpointSection } from "./endpoint-section";
import { Frame, type Section, slug } from "./frame";
import type { Card } from "./guides/guide-props";
import type { Guide } from "./guides/guides";
import { guideSamples } from "./guides/samples";
import type { Language } from "./samples";
import { Statuses } from "./statuses";

interface Props {
  sections: Section[];
  baseUrl: string;
  language: Language;
}

/** Generated from the endpoint table that the routes use too. */
export function ReferencePage({ sections, baseUrl, language }: Props) {
  return (
    <Frame sections={sections} current={null}>
      <h1>API reference</h1>
      <Basics baseUrl={baseUrl} />
      {sections.map(({ name, endpoints }) => (
        <section key={name} aria-labelledby={slug(name)}>
          <h2 id={slug(name)}>{name}</h2>
          {Object.values(endpoints).map((endpoint) => (
            <EndpointSection key={anchor(endpoint)} endpoint={endpoint} baseUrl={baseUrl} language={language} />
          ))}
        </section>
      ))}
    </Frame>
  );
}

export function GuidePage({
  guide,
  testCards,
  sections,
  baseUrl,
  language,
}: Props & { guide: Guide; testCards: readonly Card[] }) {
  const { slug, title, Body } = guide;
  const samples = guideSamples(baseUrl);
  return (
    <Frame sections={sections} current={slug}>
      <h1>{title}</h1>
      <Body
        baseUrl={baseUrl}
        testCards={testCards}
        sample={(id) => {
          const sample = samples.find((each) => each.id === id);
          return sample && <CodeSample sample={sample} language={language} path={`/docs/${slug}`} />;
        }}
      />
    </Frame>
  );
}

function Basics({ baseUrl }: { baseUrl: string }) {
  return (
    <>
      <h2 id="start">Start</h2>
      <p>
        The address is <code>{baseUrl}</code>. Every request carries <code>Authorization: Bearer KEY</code>, and{" "}
        <code>Content-Type: application/json</code> where it has a body. Keys that begin with <code>sk_test_</code> move
        no money: pay with the test card 4242 4242 4242 4242, any security code and any future date.{" "}
        <a href="/docs/getting-started">Getting started</a> leads from the first key to the first payment. The same
        reference as OpenAPI: <a href="/api/openapi.json">openapi.json</a>.
      </p>
      <p>
        The samples read the key from the environment variable <code>KEY</code>, and need no packages: only Node.js 20
        for TypeScript, Python 3.9, or PHP 8 with its curl extension.
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
        <code>message</code> and a <code>code</code> that does not change. The guide lists{" "}
        <a href="/docs/errors#codes">all codes</a>.
      </p>
      <Statuses />
      <h2 id="idempotency">Idempotency</h2>
      <p>
        Send an <code>Idempotency-Key</code> of your own (up to 255 characters) with any POST, and the same key again if
        you got no response: within 24 hours you get the stored response, with <code>Idempotency-Replayed: true</code>,
        and nothing is done twice. The same key with another request is a 409.{" "}
        <a href="/docs/idempotency">More about idempotency</a>
      </p>
      <h2 id="lists">Lists</h2>
      <p>
        Lists are newest first unless the endpoint says otherwise, 25 items a page. For the next or the previous page,
        send <code>meta.next_cursor</code> or <code>meta.prev_cursor</code> as <code>cursor</code>. Unknown parameters
        are a 422. Each key may make 300 requests a minute, unless the server’s settings say otherwise;{" "}
        <code>X-RateLimit-Remaining</code> says how many are left. <a href="/docs/pagination">More about pagination</a>
      </p>
    </>
  );
}
