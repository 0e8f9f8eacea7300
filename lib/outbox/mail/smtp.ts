import { createTransport, type Transporter } from "nodemailer";
import { env } from "@/lib/core/env";

export interface Outgoing {
  /** The row's id. Makes the Message-ID, so that repeated sends carry the same one. */
  id: string;
  to: string;
  sender: string;
  reply_to: string | null;
  /** RFC 8058: the mail program's own button posts to it. */
  unsubscribe: string | null;
  subject: string;
  html: string;
  text: string;
}

/**
 * `refused` is permanent, the others can be retried. `denied`: the server refuses our sign-in, our server or MAIL_FROM. `down`: it
 * cannot be reached. An operator has to act on these two: the same may happen to other mails. `policy`: a rule of the server refuses
 * the recipient or us, and its reply does not say which.
 */
export type Sent =
  | { outcome: "sent" }
  | { outcome: "refused" | "later" | "policy" | "denied" | "down"; reason: string };
export const sentOutcomes: Sent["outcome"][] = ["sent", "refused", "later", "policy", "denied", "down"];

/**
 * How long a mail server may take for one reply. After the text of a mail, it checks it and may have accepted it already: a mail
 * that is given up then is sent twice. RFC 5321, 4.5.3.2 asks for five minutes and more.
 */
const replyTimeoutMs = 300_000;
/** Shorter than the lease (lib/outbox/mail/send.ts). */
const sendTimeoutMs = 360_000;

/** Per process. */
export const maxConnections = 5;

let opened: Transporter | undefined;

function transport(address: string): Transporter {
  if (opened) return opened;
  const url = new URL(address);
  // Parameters in SMTP_URL override these defaults, except maxRequeues: only the queue may retry a mail.
  const defaults = {
    pool: "true",
    maxConnections: String(maxConnections),
    maxMessages: "100",
    connectionTimeout: "10000",
    greetingTimeout: "10000",
    socketTimeout: String(replyTimeoutMs),
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

/** Recipients that the server's policy refused since it last took our mail: the first and one other. */
const refusedByPolicy = new Set<string>();

/** A policy that refuses two different recipients, and takes no mail between them, probably refuses us. */
function refusesAll(recipient: string): boolean {
  if (refusedByPolicy.size < 2) refusedByPolicy.add(recipient.toLowerCase());
  return refusedByPolicy.size > 1;
}

export function closeSmtp(): void {
  opened?.close();
  opened = undefined;
}

export const hasSmtp = (): boolean => env().SMTP_URL !== undefined;

/** Signs in at the mail server without sending. @throws Error if that fails */
export async function verifySmtp(): Promise<void> {
  const { SMTP_URL } = env();
  if (!SMTP_URL) throw new Error("There is no SMTP_URL.");
  try {
    await transport(SMTP_URL).verify();
  } finally {
    closeSmtp();
  }
}

/** Sends one mail. Returns failures instead of throwing. */
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
      headers: {
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        ...(mail.unsubscribe && {
          "List-Unsubscribe": `<${mail.unsubscribe}>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }),
      },
      signal: AbortSignal.timeout(sendTimeoutMs),
    });
    refusedByPolicy.clear();
    return { outcome: "sent" };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.outcome === "refused") refusedByPolicy.clear();
    return failure.outcome === "policy" && refusesAll(mail.to) ? { ...failure, outcome: "denied" } : failure;
  }
}

interface SmtpFailure {
  code?: string;
  command?: string;
  responseCode?: number;
  response?: string;
  message?: string;
}

/**
 * Replies to RCPT TO that refuse us: 530, 535 and 538 ask for a login or TLS, 5.7.x is the server's policy, 5.1.7 and 5.1.8 are about
 * MAIL_FROM (RFC 3463). Postfix refuses client, HELO and sender only there (`smtpd_delay_reject`).
 */
const refusesUs = /^(53[058]|5\d\d[ -]5\.(7\.|1\.[78]))\b/;
/** The general codes of a policy are used for a single recipient, too, unless the words name what is refused as Postfix does. */
const mayBeRecipient =
  /^5(?!3[058])\d\d[ -]5\.7\.[01]\b(?!.*(relay|(client host|helo command|sender address)( \[[^\]]*\])? (rejected|blocked)))/is;

/**
 * Classifies a failure. A 5xx reply about the recipient or the content is permanent. An unreachable server, a failed
 * sign-in, or a server that does not take our mail or MAIL_FROM can be retried: the operator can fix them.
 */
export function failureOf(error: unknown): Exclude<Sent, { outcome: "sent" }> {
  const { code, command = "", responseCode = 0, response, message } = (error ?? {}) as SmtpFailure;
  const said = words(response ?? message ?? String(error));
  if (command === "RCPT TO" && mayBeRecipient.test(response ?? ""))
    return { outcome: "policy", reason: `The mail server's policy refuses it: ${said}` };
  const aboutUs =
    /^(CONN|EHLO|HELO|LHLO|STARTTLS|AUTH|MAIL)/.test(command) ||
    (command === "RCPT TO" && refusesUs.test(response ?? "")) ||
    code === "EAUTH" ||
    code === "ETLS";
  if (aboutUs && responseCode > 0)
    return { outcome: "denied", reason: `The mail server does not take our mail: ${said}` };
  if (responseCode >= 500) return { outcome: "refused", reason: `The mail server refused it: ${said}` };
  if (responseCode >= 400) return { outcome: "later", reason: `The mail server asks to wait: ${said}` };
  // This server will never accept such an address.
  if (code === "EENVELOPE") return { outcome: "refused", reason: `It cannot be sent to this address: ${said}` };
  return { outcome: "down", reason: `The mail server cannot be reached: ${said}` };
}

/** A server's reply for display: one line, at most 300 characters. Nodemailer's texts contain no passwords. */
const words = (text: string): string => [...text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim()].slice(0, 300).join("");
