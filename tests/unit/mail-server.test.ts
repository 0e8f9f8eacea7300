import { Socket } from "node:net";
import { expect, it, vi } from "vitest";
import { leaseSeconds } from "@/lib/outbox/mail/send";
import { closeSmtp, sendBySmtp } from "@/lib/outbox/mail/smtp";
import { startSmtp } from "@/tests/support/smtp";

it("a mail server has five minutes to accept a mail, and the mail is not sent again meanwhile", async () => {
  const server = await startSmtp();
  process.env.SMTP_URL = server.url;
  process.env.MAIL_FROM = "desk@example.com";
  const sockets = vi.spyOn(Socket.prototype, "setTimeout").mock;
  const deadlines = vi.spyOn(AbortSignal, "timeout").mock;
  const replyMs = new Set<number | undefined>();
  server.behaviour.data = () => {
    const ours = (sockets.contexts as Socket[]).filter(({ remotePort }) => remotePort === server.port);
    for (const { timeout } of ours) replyMs.add(timeout);
    return undefined;
  };
  const words = { subject: "Order 1001", html: "<p>10.50</p>", text: "10.50" };
  const mail = { id: "eml_1", to: "ada@example.com", sender: "Shop", reply_to: null, unsubscribe: null, ...words };
  expect(await sendBySmtp(mail)).toEqual({ outcome: "sent" });
  closeSmtp();
  await server.stop();
  expect(server.delivered).toHaveLength(1);
  expect([...replyMs]).toEqual([300_000]); // while the server has the text and has not answered
  const sendMs = Math.max(...deadlines.calls.flat());
  expect(sendMs).toBeGreaterThan(300_000);
  expect(leaseSeconds * 1_000).toBeGreaterThan(sendMs);
});
