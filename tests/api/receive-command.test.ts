import { once } from "node:events";
import { expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { startCommand } from "@/tests/support/command";
import { createMerchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { freePort } from "@/tests/support/launch";
import { until } from "@/tests/support/receiver";
import { attemptsOf, createEndpoint, createLinkEvent } from "@/tests/support/webhooks";

function receive(...args: string[]) {
  const child = startCommand("receive", args);
  const said = { text: "" };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said.text += chunk));
  return { child, said };
}

it("prints one line per signed event, and refuses other signatures", async () => {
  const merchant = await createMerchant();
  const port = await freePort();
  const url = `http://localhost:${port}/`;
  const { id, secret } = await createEndpoint(merchant, url);
  const stranger = await createEndpoint(merchant, url, ["package.deleted"]);
  const { child, said } = receive("--port", String(port), "--secret", secret);
  try {
    await until("it to listen", () => said.text.includes("Listening"));
    const link = await createLinkEvent(merchant);
    const line = await until("the event", () => said.text.split("\n").find((one) => one.includes(link._id)));
    expect(line).toMatch(/^\d\d:\d\d:\d\d {2}payment_link\.created +pl_\w+ {2}evt_\w+$/);
    const { key } = merchant;
    await call("POST", `/webhook-endpoints/${id}/sample`, { key, body: { type: "package.created" } });
    await until("the sample", () => /package\.created .*\(sample\)/.test(said.text));
    await call("POST", `/webhook-endpoints/${stranger.id}/sample`, { key, body: { type: "package.created" } });
    await until("the refusal", () => said.text.includes("refused: the signature does not match"));
    await until("the attempt, written after its answer", async () =>
      (await attemptsOf({ endpoint_id: stranger.id })).some(({ status }) => status === 401),
    );
  } finally {
    child.kill();
    await db.webhookEndpoint.updateMany({ where: { business_id: merchant.businessId }, data: { status: "disabled" } });
  }
});

it("prints its usage for wrong arguments", async () => {
  const { child, said } = receive("--port", "none");
  const [code] = await once(child, "exit");
  expect([code, said.text]).toEqual([2, expect.stringContaining("--port must be a port number.")]);
});
