import type { ReactNode } from "react";
import { Statuses } from "@/components/reference/statuses";
import { errorCodes } from "@/lib/core/errors";
import { GoingLive } from "./going-live";
import type { GuideProps } from "./guide-props";
import { TestCards } from "./test-cards";
import { Webhooks } from "./webhooks";

export interface Guide {
  slug: string;
  title: string;
  Body: (props: GuideProps) => ReactNode;
}

export const guides: readonly Guide[] = [
  { slug: "getting-started", title: "Getting started", Body: GettingStarted },
  { slug: "webhooks", title: "Webhooks", Body: Webhooks },
  { slug: "idempotency", title: "Idempotency", Body: Idempotency },
  { slug: "pagination", title: "Pagination", Body: Pagination },
  { slug: "errors", title: "Errors", Body: Errors },
  { slug: "test-cards", title: "Test cards", Body: TestCards },
  { slug: "going-live", title: "Going live", Body: GoingLive },
];

export const guideOf = (slug: unknown): Guide | undefined => guides.find((guide) => guide.slug === slug);

function GettingStarted({ baseUrl, sample }: GuideProps) {
  return (
    <>
      <h2 id="key">1. Get a test key</h2>
      <p>
        Create one in the dashboard under <a href="/developers/keys">API keys</a>, in test mode. It begins with{" "}
        <code>sk_test_</code> and moves no money. Every sample reads it from the environment variable <code>KEY</code>:
      </p>
      <pre>export KEY=sk_test_...</pre>
      <p>
        The API’s address is <code>{baseUrl}</code>. Keep keys on your server: a browser or an app must never have one.
      </p>
      <h2 id="create">2. Create a payment link</h2>
      <p>
        Amounts are in cents: <code>"1050"</code> is 10.50 euros.
      </p>
      {sample("first-link")}
      <p>
        The response’s <code>data</code> has the link’s <code>_id</code> and its <code>payment_url</code>. Send your
        payer there. In test mode Paydesk sends no e-mail to payers.
      </p>
      <h2 id="pay">3. Pay it</h2>
      <p>
        Open the <code>payment_url</code> and pay with the card <code>4242 4242 4242 4242</code>, any future date and
        any security code. There are <a href="/docs/test-cards">other test cards</a> for declines, 3-D Secure and
        faults.
      </p>
      <h2 id="read">4. Read it back</h2>
      <p>
        With the <code>_id</code> of your link. A paid link has <code>"status": "Paid"</code> and{" "}
        <code>"paid": true</code>.
      </p>
      {sample("read-link")}
      <p>
        Do not poll for it: a <a href="/docs/webhooks">webhook</a> tells your system when a link is paid, also if the
        payer closes the page before your site loads again.
      </p>
      <h2 id="next">Next</h2>
      <ul>
        <li>
          <a href="/docs/webhooks">Receive webhooks</a> and verify their signature.
        </li>
        <li>
          <a href="/docs/idempotency">Retry safely</a> with an idempotency key.
        </li>
        <li>
          <a href="/docs/going-live">Go live</a>.
        </li>
      </ul>
    </>
  );
}

function Idempotency({ sample }: GuideProps) {
  return (
    <>
      <p>
        The response to a request can get lost although Paydesk has executed the request. Send an{" "}
        <code>Idempotency-Key</code> with each POST, and repeat the request with the same key if you got no response.
        Paydesk then executes nothing twice: for 24 hours it returns the stored response, with the header{" "}
        <code>Idempotency-Replayed: true</code>.
      </p>
      {sample("idempotency")}
      <ul>
        <li>Choose a key that is unique to the action, such as the order’s number. At most 255 characters.</li>
        <li>
          The same key with another path or body is a 409 <code>idempotency_key_reused</code>.
        </li>
        <li>
          While the first request still runs, a repeated one is a 409 <code>idempotency_key_in_flight</code>. Wait a
          moment and repeat it.
        </li>
        <li>
          A temporary refusal, such as a 422, a 429 or a 503, is not stored. Correct the request or wait, then use the
          same key.
        </li>
      </ul>
      <p>GET, PUT and DELETE need no key: repeating them changes nothing further.</p>
    </>
  );
}

function Pagination({ sample }: GuideProps) {
  return (
    <>
      <p>
        Lists are newest first unless the endpoint says otherwise, 25 items a page; <code>per_page</code> takes 1 to
        100. For the next page, send <code>meta.next_cursor</code> as <code>cursor</code>; for the previous one{" "}
        <code>meta.prev_cursor</code>. It is null at the end. Keep the filters of the first page. If rows are added
        meanwhile, the pages neither repeat nor skip rows.
      </p>
      {sample("pages")}
      <p>
        <code>with_total=true</code> adds <code>meta.total</code>. An unknown parameter is a 422.
      </p>
    </>
  );
}

function Errors({ sample }: GuideProps) {
  return (
    <>
      <p>
        A 422 has <code>errors</code>: for each field a list of messages, which you can show to your users. All other
        errors have a <code>message</code> for people, and a <code>code</code> for programs that does not change. Every
        response has an <code>X-Request-Id</code>: log it, and name it when you report a problem.
      </p>
      {sample("failures")}
      <p>
        Repeat a request after a 429 or a 503 once <code>Retry-After</code> seconds have passed, and after a network
        failure. Give POST an <a href="/docs/idempotency">idempotency key</a> then. Most other errors recur until you
        change the request or the resource.
      </p>
      <h2 id="statuses">Statuses</h2>
      <Statuses />
      <h2 id="codes">Codes</h2>
      <table>
        <caption>Every code, with the message that usually comes with it</caption>
        <thead>
          <tr>
            <th scope="col">Code</th>
            <th scope="col">Status</th>
            <th scope="col">Message</th>
          </tr>
        </thead>
        <tbody>
          {errorCodes.map(({ code, status, message }) => (
            <tr key={code} id={`code.${code}`}>
              <th scope="row">
                <code>{code}</code>
              </th>
              <td>{status}</td>
              <td>{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
