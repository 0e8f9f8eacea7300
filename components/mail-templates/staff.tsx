import { formatMoney } from "@/lib/core/money";
import { disputeReasons } from "@/lib/gateways/reasons";
import { untrusted } from "@/lib/outbox/mail/untrusted-text";
import type { Dispute } from "@/lib/resources/disputes/contract";
import { Action, Aside, Facts, Paragraph, Title } from "./frame";
import { notificationTemplates } from "./notifications";
import type { StaffTemplates } from "./staff-templates";
import { moment, titleIn } from "./words";

const moneyOf = ({ amount_cents, currency }: { amount_cents: number; currency: string }): string =>
  formatMoney(amount_cents, currency);

const modeFact = ({ livemode }: Dispute): [string, string] | null => (livemode ? null : ["Mode", "Test"]);

const closed = { title: "Inquiry closed", text: "The bank has closed its inquiry. It took no money." };
const disputeEnds: Partial<Record<Dispute["status"], typeof closed>> & { inquiry_closed: typeof closed } = {
  won: { title: "Dispute won", text: "The bank decided for you. The gateway returns the money to your balance." },
  lost: {
    title: "Dispute lost",
    text: "The bank decided for the payer, who keeps the money. Do not refund the payment.",
  },
  prevented: { title: "Dispute prevented", text: "The dispute ended before the bank took money." },
  inquiry_closed: closed,
};

export const staffTemplates: StaffTemplates = {
  invitation({ inviter_name, role, link, expires_at }, head) {
    const business = untrusted(head.business_name, 100);
    return {
      subject: `Join ${titleIn(head.business_name)} on Paydesk`,
      preview: `${untrusted(inviter_name, 100)} invites you.`,
      body: (
        <>
          <Title>Join {business}</Title>
          <Paragraph>
            {untrusted(inviter_name, 100)} invites you to join {business} on Paydesk, its payments desk.
          </Paragraph>
          <Facts
            facts={[
              ["Role", untrusted(role, 40)],
              ["Valid until", moment(expires_at, head)],
            ]}
          />
          <Action label="Accept invitation" link={link} />
          <Aside>This link is for you only: don’t share it. If you don’t know the sender, ignore this e-mail.</Aside>
        </>
      ),
    };
  },

  password_reset({ link, expires_at }, head) {
    return {
      subject: "Choose a new password",
      preview: "For your Paydesk account.",
      body: (
        <>
          <Title>Choose a new password</Title>
          <Paragraph>Someone, probably you, requested a new password for your Paydesk account.</Paragraph>
          <Facts facts={[["Valid until", moment(expires_at, head)]]} />
          <Action label="Choose a new password" link={link} />
          <Aside>If it wasn’t you, ignore this e-mail. Your password stays the same.</Aside>
        </>
      ),
    };
  },

  email_verification({ link, expires_at }, head) {
    return {
      subject: "Confirm your e-mail address",
      preview: "For your Paydesk account.",
      body: (
        <>
          <Title>Confirm your e-mail address</Title>
          {/* No text of the registrant's: the mail may reach a stranger. */}
          <Paragraph>Someone, probably you, registered on Paydesk with this e-mail address.</Paragraph>
          <Facts facts={[["Valid until", moment(expires_at, head)]]} />
          <Action label="Confirm e-mail address" link={link} />
          <Aside>
            If it wasn’t you, don’t confirm: ignore this e-mail. To take over the account, request a new password on the
            sign-in page.
          </Aside>
        </>
      ),
    };
  },

  dispute_opened({ dispute, link }, head) {
    const inquiry = dispute.status.startsWith("inquiry_");
    const amount = moneyOf(dispute);
    return {
      subject: `${inquiry ? "A bank asks about" : "A payer disputed"} ${amount} at ${titleIn(head.business_name)}`,
      preview: disputeReasons[dispute.reason],
      body: (
        <>
          <Title>{inquiry ? "A bank asks about a payment" : "A payment was disputed"}</Title>
          <Paragraph>{disputeReasons[dispute.reason]}</Paragraph>
          <Paragraph>
            {inquiry
              ? "The payer’s bank has taken nothing yet. Answer the bank, or refund the payment: that usually ends the inquiry."
              : "The payer’s bank has taken the money back while it decides. Do not refund the payment: that would return it twice."}
          </Paragraph>
          <Facts
            facts={[
              ["Business", untrusted(head.business_name, 100)],
              ["Amount", amount],
              dispute.fee && ["Dispute fee", moneyOf(dispute.fee)],
              dispute.respond_by === null ? null : ["Respond by", moment(dispute.respond_by, head)],
              [
                "Where to answer",
                dispute.gateway_url
                  ? "Stripe’s dashboard: the dispute’s page links to it"
                  : "Nowhere: this is a sandbox dispute",
              ],
              modeFact(dispute),
            ]}
          />
          <Action label="View dispute" link={link} />
          {dispute.respond_by && <Aside>If you don’t answer by then, the bank decides for the payer.</Aside>}
        </>
      ),
    };
  },

  dispute_ended({ dispute, link }, head) {
    const amount = moneyOf(dispute);
    const { title, text } = disputeEnds[dispute.status] ?? disputeEnds.inquiry_closed;
    return {
      subject: `${title}: ${amount} at ${titleIn(head.business_name)}`,
      preview: text,
      body: (
        <>
          <Title>{title}</Title>
          <Paragraph>{text}</Paragraph>
          <Facts
            facts={[
              ["Business", untrusted(head.business_name, 100)],
              ["Amount", amount],
              dispute.returned && ["Returned to you", moneyOf(dispute.returned)],
              dispute.fee && ["Dispute fee", moneyOf(dispute.fee)],
              modeFact(dispute),
            ]}
          />
          <Action label="View dispute" link={link} />
        </>
      ),
    };
  },

  webhook_failing({ endpoint_url, failing_since, disabled_at, link }, head) {
    const business = untrusted(head.business_name, 100);
    return {
      subject: `A webhook endpoint of ${titleIn(head.business_name)} is failing`,
      preview: "An endpoint isn’t accepting deliveries.",
      body: (
        <>
          <Title>A webhook endpoint is failing</Title>
          <Paragraph>Deliveries to an endpoint of {business} are failing. We keep retrying.</Paragraph>
          <Facts
            facts={[
              ["Endpoint", untrusted(endpoint_url, 300)],
              ["Failing since", moment(failing_since, head)],
              disabled_at === null ? null : ["Will be disabled on", moment(disabled_at, head)],
            ]}
          />
          <Action label="View failures" link={link} />
          {disabled_at !== null && <Aside>If deliveries still fail on that day, the endpoint is disabled.</Aside>}
        </>
      ),
    };
  },

  account_broken({ account, code, permission, since, link }, head) {
    const business = untrusted(head.business_name, 100);
    return {
      subject: `Stripe refuses the key of ${titleIn(head.business_name)}`,
      preview: "Reconnect your Stripe account.",
      body: (
        <>
          <Title>Reconnect your Stripe account</Title>
          <Paragraph>
            {permission
              ? `Stripe does not allow the key of ${business} to do all that Paydesk needs. Payments, charges of saved cards and refunds may fail.`
              : `Stripe no longer accepts the key of ${business}. New payments, charges of saved cards and refunds fail.`}{" "}
            Subscribers whose saved card cannot be charged get a link to pay. Connect the account again with a working
            key.
          </Paragraph>
          <Facts
            facts={[
              ["Account", untrusted(account, 100)],
              code === null ? null : ["Stripe’s code", untrusted(code, 100)],
              ["Since", moment(since, head)],
            ]}
          />
          <Action label="Reconnect" link={link} />
        </>
      ),
    };
  },

  api_key_expiring({ name, hint, expires_at, link }, head) {
    return {
      subject: `An API key of ${titleIn(head.business_name)} expires soon`,
      preview: "Replace it before your system loses access.",
      body: (
        <>
          <Title>An API key expires soon</Title>
          <Paragraph>
            After that, Paydesk refuses the requests of the system that uses it. Rotate the key, or create a new one,
            and give it to the system before then.
          </Paragraph>
          <Facts
            facts={[
              ["Business", untrusted(head.business_name, 100)],
              ["Name", untrusted(name, 100)],
              ["Key", untrusted(hint, 40)],
              ["Expires", moment(expires_at, head)],
            ]}
          />
          <Action label="View key" link={link} />
        </>
      ),
    };
  },

  ...notificationTemplates,
};
