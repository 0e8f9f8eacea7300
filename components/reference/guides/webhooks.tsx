import { eventTypeNames } from "@/lib/resources/events/types";
import type { GuideProps } from "./guide-props";

const message = `POST /webhooks/paydesk
content-type: application/json
webhook-id: evt_01k8m4d2e3f4g5h6j7k8m9n0p1q2r3s4t5v6
webhook-timestamp: 1795253461
webhook-signature: v1,fK0pVw...

{"_id":"evt_01k8...","type":"payment_link.paid","data":{"_id":"pl_01k8...","paid":true, ...}, ...}`;

/** docs/webhooks.md has the same rules, with reasons and limits. */
export function Webhooks({ sample }: GuideProps) {
  return (
    <>
      <p>
        Paydesk posts every event to your endpoints, and retries until your system accepts it. Bodies and signatures
        follow the <a href="https://www.standardwebhooks.com">Standard Webhooks</a> specification, which has libraries
        for most languages.
      </p>
      <h2 id="create">Create an endpoint</h2>
      <p>
        In the dashboard under <a href="/developers/webhooks">Webhooks</a>, or with a request. The response shows the{" "}
        <code>secret</code> once. An endpoint gets the events of the mode of the key that created it.
      </p>
      {sample("endpoint")}
      <h2 id="receive">Receive</h2>
      <pre>{message}</pre>
      <ul>
        <li>Verify the signature over the raw body, before you parse it.</li>
        <li>Answer with any 2xx within 15 seconds, and do the work afterwards. A redirect is a failure.</li>
        <li>
          The same event can arrive twice, always with the same <code>webhook-id</code>: remember the ids that you have
          processed.
        </li>
        <li>
          Events can arrive out of order. The events of one resource are numbered by <code>sequence</code>.
        </li>
      </ul>
      <h2 id="signature">Verify the signature</h2>
      <p>
        After a rotation of the secret, a message carries a signature of each secret, separated by a space. One match is
        enough.
      </p>
      {sample("signature")}
      <h2 id="retries">Retries</h2>
      <p>
        Ten tries in a little more than three days: after 5 seconds, 5 and 30 minutes, and then 2, 5, 10, 14, 20 and 24
        hours. On the endpoint’s page in the dashboard you can see each attempt, redeliver, and send a sample of any
        event. Paydesk disables an endpoint that answers 410, or to which nothing was delivered for five days.
      </p>
      <h2 id="events">Events</h2>
      <p>
        <a href="/api/openapi.json">openapi.json</a> has the schema of each event’s <code>data</code>.
      </p>
      <ul className="columns">
        {eventTypeNames.map((name) => (
          <li key={name} id={`event.${name}`}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
