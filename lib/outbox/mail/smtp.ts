import { createTransport, type Transporter } from "nodemailer";
import { env } from "@/lib/core/env";

/** What leaves: one mail to one address. */
export interface Outgoing {
  /** The row's: a repetition carries the same Message-ID. */
  id: string;
  to: string;
  /** Whose name stands before MAIL_FROM. */
  sender: string;
  reply_to: string | null;
  subject: string;
  html: string;
  text: string;
}

/** How sending went: `refused` is for good, `later` is worth another try; `down`: nothing can be sent at the moment. */
export type Sent = { outcome: "sent" } | { outcome: "refused" | "later" | "down"; reason: string };

/** Longer than a slow server needs for one mail, shorter than a claim lasts (lib/outbox/mail/send.ts). */
const patience = 60_000; // milliseconds

/** Connections at a time in this process. */
export const connections = 5;

let opened: Transporter | undefined;

function transport(address: string): Transporter {
  if (opened) return opened;
  const url = new URL(address);
  // What the operator's address says comes first. Repeating is ours alone: what a closed connection left open is asked again
  // by the row, not behind its back.
  const defaults = {
    pool: "true",
    maxConnections: String(connections),
    maxMessages: "100",
    connectionTimeout: "10000",
    greetingTimeout: "10000",
    socketTimeout: "30000",
    idleTimeout: "30000",
    disableFileAccess: "true",
    disableUrlAccess: "true",
  };
  for (const [name, value] of Object.entries(defaults))
    if (!url.searchParams.has(name)) url.searchParams.set(name, value);
  url.searchParams.set("maxRequeues", "0");
  opened = createTransport(url.href);
  return opened;
}

/** Lets go of the connections. What is under way is finished first. */
export function closeSmtp(): void {
  opened?.close();
  opened = undefined;
}

/** Whether there is a mail server. */
export const hasSmtp = (): boolean => env().SMTP_URL !== undefined;

/** Hands one mail to the mail server. Never throws over it. */
export async function sendBySmtp(mail: Outgoing): Promise<Sent> {
  const { SMTP_URL, MAIL_FROM } = env();
  if (!SMTP_URL || !MAIL_FROM) return { outcome: "down", reason: "There is no SMTP_URL." };
  const domain = MAIL_FROM.slice(MAIL_FROM.lastIndexOf("@") + 1);
  try {
    await transport(SMTP_URL).sendMail({
      from: { name: mail.sender, address: MAIL_FROM },
      to: { name: "", address: mail.to },
      ...(mail.reply_to && { replyTo: { name: mail.sender, address: mail.reply_to } }),
      subject: mail.subject,
      html: mail.html,
      text: mail.text,
      messageId: `<${mail.id}@${domain}>`,
      headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
      signal: AbortSignal.timeout(patience),
    });
    return { outcome: "sent" };
  } catch (error) {
    return failureOf(error);
  }
}

interface SmtpFailure {
  code?: string;
  /** Of the SMTP dialogue: the step that failed, and the server's number and text. */
  command?: string;
  responseCode?: number;
  response?: string;
  message?: string;
}

/**
 * What a failure means. 5xx for the recipient or the text is for good; a server that cannot be reached, that does not know
 * us, or does not like MAIL_FROM is something that its operator can mend.
 */
export function failureOf(error: unknown): Exclude<Sent, { outcome: "sent" }> {
  const { code, command = "", responseCode = 0, response, message } = (error ?? {}) as SmtpFailure;
  const said = words(response ?? message ?? String(error));
  const aboutUs = /^(CONN|EHLO|HELO|LHLO|STARTTLS|AUTH|MAIL)/.test(command) || code === "EAUTH" || code === "ETLS";
  if (aboutUs && responseCode > 0)
    return { outcome: "later", reason: `The mail server does not take our mail: ${said}` };
  if (responseCode >= 500) return { outcome: "refused", reason: `The mail server refused it: ${said}` };
  if (responseCode >= 400) return { outcome: "later", reason: `The mail server asks to wait: ${said}` };
  // Such an address cannot be sent to by this server, and will not be.
  if (code === "EENVELOPE") return { outcome: "refused", reason: `It cannot be sent to this address: ${said}` };
  return { outcome: "down", reason: `The mail server cannot be reached: ${said}` };
}

/** A server's answer for people: one line, not too long, no passwords (nodemailer's texts have none). */
const words = (text: string): string => [...text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim()].slice(0, 300).join("");
