export function GoingLive() {
  return (
    <>
      <p>
        Test and live mode have separate keys, data and webhook endpoints. Nothing is copied from test mode to live
        mode.
      </p>
      <ol>
        <li>
          <strong>Connect your gateway</strong> in live mode under <a href="/settings">Settings</a>. Until then live
          links cannot be paid: <code>can_take_payments</code> of <code>GET /settings</code> is false for a live key.
        </li>
        <li>
          <strong>Confirm your e-mail address</strong> if the dashboard asks for it. Until then, live mode refuses what
          you change in the dashboard.
        </li>
        <li>
          <strong>Complete your profile</strong> under Settings: name, logo, support address and phone number. Payers
          see them on pages, receipts and in e-mails.
        </li>
        <li>
          <strong>Create a live key</strong> for each of your systems, with no more scopes than it needs. Limit it to
          your servers’ IP addresses with <code>allowed_ips</code>. Keep it out of the source code.
        </li>
        <li>
          <strong>Create a webhook endpoint</strong> in live mode. Its URL must be https, on the public internet. It has
          a secret of its own.
        </li>
        <li>
          <strong>Send an idempotency key</strong> with each POST, and repeat requests after a 429, a 503 or a lost
          response (<a href="/docs/idempotency">Idempotency</a>).
        </li>
        <li>
          <strong>Handle declines and refunds</strong>: try the <a href="/docs/test-cards">test cards</a> for them, and
          advance the test clock to see a subscription’s renewals and retries.
        </li>
        <li>
          <strong>Pay a live link</strong> of a small amount yourself, check that your system got{" "}
          <code>payment_link.paid</code>, and refund it.
        </li>
      </ol>
    </>
  );
}
