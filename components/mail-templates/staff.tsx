import type { Letterhead } from "@/lib/outbox/mail/send";
import { untrusted } from "@/lib/outbox/mail/untrusted-text";
import type { StaffMails } from "@/lib/resources/emails/templates";
import { Action, Aside, Facts, type Letter, Paragraph, Title } from "./frame";
import { moment, titleIn } from "./words";

/** `link` is null in the stored copy of a mail whose link signs its reader in. */
type Stored<Props> = Props extends { link: string } ? Omit<Props, "link"> & { link: string | null } : Props;
type Templates = { [T in keyof StaffMails]: (props: Stored<StaffMails[T]>, head: Letterhead) => Letter };

export const staffTemplates: Templates = {
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
              ? `Stripe does not allow the key of ${business} to do all that Paydesk needs.`
              : `Stripe no longer accepts the key of ${business}.`}{" "}
            Payments, charges of saved cards and refunds that Stripe refuses fail, and nothing is charged. Subscribers
            get a link to pay instead of a charge. Connect the account again with a working key.
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
};
