const statuses: [string, string][] = [
  ["400", "The body is not strict JSON: malformed, a key given twice, not an object, not UTF-8."],
  ["401", "No key, or one that is unknown, revoked or expired."],
  ["402", "The bank declined the card. The reason says why."],
  ["403", "The key's scopes do not allow it."],
  ["404", "Absent, deleted, or not yours. A test key sees no live data, and the reverse."],
  ["405", "The route does not support this method. The Allow header lists those it supports."],
  ["409", "The resource's current state does not allow it, or its Idempotency-Key is in use."],
  ["412", "It has changed since you read it. Only with If-Match, previous_notes or an expected amount."],
  ["413, 415", "The body is larger than 64 kB, or not application/json."],
  ["422", "One or more fields are not valid. The response names all of them."],
  ["429", "Too many requests. Retry-After says how many seconds to wait."],
  ["500", "An error of ours. Report its X-Request-Id. With its Idempotency-Key, a POST may be repeated."],
  ["503", "The database or the gateway is unavailable. Try again after Retry-After seconds."],
];

export function Statuses() {
  return (
    <dl className="errors">
      {statuses.map(([status, meaning]) => (
        <div key={status}>
          <dt>{status}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
