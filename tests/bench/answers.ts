import { deepEqual, equal } from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";

interface Reply {
  data: { _id: string } & Record<string, unknown>;
  meta: { timestamp: string } & Record<string, unknown>;
}

async function ask(url: string, key: string, path: string, body?: object): Promise<Reply> {
  const response = await fetch(`${url}${path}`, {
    method: body ? "POST" : "GET",
    headers: { Authorization: `Bearer ${key}`, ...(body ? { "Content-Type": "application/json" } : {}) },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url}${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

export async function createLink(url: string, key: string, body: object): Promise<Reply["data"]> {
  return (await ask(url, key, "/api/payment-links", body)).data;
}

/** A resource without what differs from one row to the next. */
function withoutOwn({ _id, payment_url, created_at, updated_at, ...rest }: Record<string, unknown>) {
  return rest;
}

/** What the creation of a link has left in the database beside the link. */
async function tracesOf(client: Client, linkId: string): Promise<unknown[]> {
  const { rows } = await client.query<{ data: Record<string, unknown> }>(
    `SELECT type, sequence, business_id, livemode, subscription_id, actor_type, actor_id, request_id IS NOT NULL AS by_request,
            data, (SELECT count(*)::int FROM email WHERE event_id = event.id) AS mails,
            (SELECT count(*)::int FROM webhook_delivery WHERE event_id = event.id) AS deliveries
       FROM event WHERE payment_link_id = $1 ORDER BY sequence`,
    [linkId],
  );
  return rows.map((row) => ({ ...row, data: withoutOwn(row.data) }));
}

/** Opens the pay page, and waits until the visit is written: that happens after the answer. */
async function openPage(client: Client, url: string, id: string): Promise<string> {
  const visits = async () => {
    const sql = "SELECT coalesce(sum(visits), 0)::int AS count FROM link_visit WHERE payment_link_id = $1";
    return (await client.query<{ count: number }>(sql, [id])).rows[0]?.count ?? 0;
  };
  const before = await visits();
  const html = await (await fetch(`${url}/pay?id=${id}`)).text();
  for (const deadline = Date.now() + 10_000; (await visits()) !== before + 1; await sleep(20))
    if (Date.now() > deadline) throw new Error(`${url}/pay?id=${id}: the visit is not written`);
  return html;
}

/**
 * Checks that the servers give the same answers and leave the same rows. Otherwise their comparison means nothing.
 * @param id a payable link whose page none of them has shown yet
 * @throws AssertionError where an answer differs in more than ids and times
 */
export async function sameAnswers(client: Client, urls: string[], key: string, id: string, link: object) {
  const reads: unknown[] = [];
  for (const url of urls) {
    const one = await ask(url, key, `/api/payment-links/${id}`);
    const list = await ask(url, key, "/api/payment-links");
    one.meta.timestamp = list.meta.timestamp = "";
    reads.push({ one, order: Object.keys(one.data), list });
  }
  const creates: unknown[] = [];
  for (const url of urls) {
    const made = await createLink(url, key, link);
    creates.push({ answer: withoutOwn(made), traces: await tracesOf(client, made._id) });
  }
  const pages: string[] = [];
  for (const url of urls) pages.push(await openPage(client, url, id));
  for (const other of urls.keys()) {
    deepEqual(reads[other], reads[0]);
    deepEqual(creates[other], creates[0]);
    equal(pages[other], pages[0]);
  }
}
