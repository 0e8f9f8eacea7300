import type { Tenant } from "@/lib/auth/actor";
import { Prisma } from "@/lib/core/db";
import { facet, few, key } from "@/lib/http/list-filters";
import { type Condition, type Facet, rowsAt } from "@/lib/http/list-streams";
import { column, defineResource, instant, ownedBy, systemInstant } from "@/lib/resources/define";
import { aboutLink, aboutSubscription, templateNames, templates } from "@/lib/resources/emails/templates";
import { type Email, type EmailListQuery, type EmailSummary, emailStatuses } from "./contract";

interface Unwritten {
  /** The template's props. In test mode no mail is sent, and a mail is rendered when it is read. */
  props: object | null;
}

const toPayers = templateNames.filter((name) => templates[name] === "payer");

export const resendable = Prisma.sql`(template = ANY(${toPayers}::text[]) AND status <> 'queued')`;

/** Mails about a payment, found among those of its link. */
function byPayment(id: string, tenant: Tenant): Condition {
  const link = Prisma.sql`(SELECT payment_link_id FROM payment WHERE id = ${id} AND ${ownedBy(tenant)})`;
  const rows = Prisma.sql`props #>> '{payment,_id}' = ${id}`;
  return { rows, few: rowsAt("email", [Prisma.raw("payment_link_id"), link], [rows]) };
}

const template: Facet = { sql: "template", type: "text" };
const status: Facet = { sql: "status", type: "text", values: emailStatuses };

export const emailSummaries = defineResource<EmailSummary & Unwritten, EmailListQuery>({
  name: "E-mail",
  table: "email",
  idPrefix: "eml",
  fields: {
    _id: Prisma.sql`id`,
    template: column,
    to: column,
    subject: column,
    status: column,
    business_id: column,
    livemode: column,
    event_id: column,
    payment_link_id: column,
    subscription_id: column,
    attempt_count: column,
    next_attempt_at: systemInstant,
    last_error: column,
    sent_at: instant,
    resendable,
    created_at: instant,
    drop_reason: column,
    props: Prisma.sql`CASE WHEN status = 'outbox' AND html IS NULL THEN props END`,
  },
  filters: {
    payment_link_id: few("email", "payment_link_id"),
    payment_id: byPayment,
    subscription_id: few("email", "subscription_id"),
    to: key("to"),
    status: facet(status),
    template: facet(template),
  },
  facets: [[template, status]],
});

export const emails = emailSummaries.extend<Email & Unwritten>({
  html: column,
  text: column,
  resend_to: Prisma.sql`
    CASE WHEN NOT ${resendable} THEN NULL
         WHEN template = ANY(${aboutLink}::text[])
         THEN coalesce((SELECT l.email FROM payment_link l WHERE l.id = payment_link_id AND l.deleted_at IS NULL), "to")
         WHEN template = ANY(${aboutSubscription}::text[])
         THEN coalesce((SELECT s.email FROM subscription s WHERE s.id = subscription_id AND s.deleted_at IS NULL), "to")
         ELSE "to" END`,
});
