import { deepEqual, equal } from "node:assert/strict";

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

/**
 * A comparison is worth something only where all say the same.
 * @throws AssertionError where an answer differs in more than ids and times
 */
export async function sameAnswers(urls: string[], key: string, ids: string[], link: object): Promise<void> {
  const reads: unknown[] = [];
  for (const url of urls) {
    const one = await ask(url, key, `/api/payment-links/${ids[0]}`);
    const list = await ask(url, key, "/api/payment-links");
    one.meta.timestamp = list.meta.timestamp = "";
    reads.push({ one, order: Object.keys(one.data), list });
  }
  const creates: unknown[] = [];
  for (const url of urls) {
    const { _id, payment_url, created_at, updated_at, ...rest } = await createLink(url, key, link);
    creates.push(rest);
  }
  const pages: string[] = [];
  for (const url of urls) pages.push(await (await fetch(`${url}/pay?id=${ids[0]}`)).text());
  for (const other of urls.keys()) {
    deepEqual(reads[other], reads[0]);
    deepEqual(creates[other], creates[0]);
    equal(pages[other], pages[0]);
  }
}
