import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { languages, type SampleRequest, sampleIn } from "@/components/reference/samples";
import { canRun, runProgram } from "@/tests/support/programs";

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

const received: Received[] = [];
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method, url, headers } = request;
  received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
  response.setHeader("Content-Type", "application/json").end('{"success":true,"data":{"ok":1}}');
});
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const urlOf = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

/** What ends strings or begins something else in one of the languages. */
const texts = [
  'Ada\'s "order"',
  "back\\slash \\n \\' \\",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as shells and PHP would read it
  "$KEY ${KEY} `id` $(id) {$x} #{x} %s {0}",
  "Grüße, 東京 😀",
  "two\nlines\tand a tab",
  "<?php ?> // # /* --",
];
const body = {
  texts,
  nested: {
    yes: true,
    no: false,
    nothing: null,
    number: 12,
    empty: {},
    list: [],
    "not-a-name": "x",
    rows: [{ row: 2 }],
  },
};

it.each(languages.filter(canRun))("sends exactly the request in %s", async (language) => {
  const request: SampleRequest = {
    method: "POST",
    url: urlOf("/api/things?a=b&c=d%20e"),
    auth: {},
    headers: { "Idempotency-Key": "order-1001" },
    body,
    csv: false,
  };
  const { status, output } = await runProgram(language, sampleIn(language, request), { KEY: "sk_test_1" });
  expect(status, output).toBe(0);
  const { method, url, headers, body: sent } = received.at(-1) ?? { headers: {}, body: "null" };
  expect([method, url]).toEqual(["POST", "/api/things?a=b&c=d%20e"]);
  expect(headers).toMatchObject({
    authorization: "Bearer sk_test_1",
    "content-type": "application/json",
    "idempotency-key": "order-1001",
  });
  expect(JSON.parse(sent)).toEqual(body);
});

it.each(languages.filter(canRun))(
  "contains the key itself in %s if there is one, and none where none is needed",
  async (language) => {
    const request: SampleRequest = {
      method: "GET",
      url: urlOf("/api"),
      auth: { key: "sk_test_2" },
      body: null,
      csv: false,
    };
    await runProgram(language, sampleIn(language, request), {});
    expect(received.at(-1)).toMatchObject({ method: "GET", headers: { authorization: "Bearer sk_test_2" }, body: "" });
    await runProgram(language, sampleIn(language, { ...request, auth: null }), {});
    expect(received.at(-1)?.headers.authorization).toBeUndefined();
    expect(sampleIn(language, { ...request, auth: null })).not.toContain("KEY");
  },
);

it("sends a POST without a body in each language", async () => {
  for (const language of languages.filter(canRun)) {
    const request: SampleRequest = { method: "POST", url: urlOf(`/api/${language}`), auth: {}, body: null, csv: true };
    const { status, output } = await runProgram(language, sampleIn(language, request), { KEY: "sk_test_1" });
    expect(status, output).toBe(0);
    expect(received.at(-1)).toMatchObject({ method: "POST", url: `/api/${language}`, body: "" });
  }
});
