import type { Document } from "@/lib/payer/document";
import type { NotificationKind } from "@/lib/resources/notifications/types";
import { payerTexts } from "@/messages/payer/texts";
import { Notice } from "./notice";

const names: Record<NotificationKind | "digest", string> = {
  payment_received: "Payments received",
  payment_failed: "Failed payments",
  dispute_opened: "Disputes opened",
  dispute_ended: "Disputes won, lost or closed",
  subscription_ended: "Subscriptions ended or unpaid",
  payout_paid: "Payouts paid",
  payout_failed: "Failed payouts",
  endpoint_failing: "Failing webhook endpoints",
  account_broken: "Gateway account problems",
  digest: "Daily digest",
};

type Kinds = readonly (keyof typeof names)[];

const listOf = (kinds: Kinds): string => kinds.map((kind) => names[kind]).join("; ");

/**
 * A staff member's page, in English like the mails to staff. It names neither the business nor the person: the link may have been
 * forwarded.
 */
export function unsubscribeDocument(token: string, kinds: Kinds): Document {
  return {
    status: 200,
    title: "Stop these e-mails?",
    form: true,
    body: (
      <Notice t={payerTexts.en} icon="question" tone="note" title="Stop these e-mails?" text={[listOf(kinds)]}>
        <form method="post" action={`/unsubscribe/${token}`}>
          <button className="button" type="submit">
            Stop these e-mails
          </button>
        </form>
      </Notice>
    ),
  };
}

export function stoppedDocument(kinds: Kinds): Document {
  const text = [
    listOf(kinds),
    "You won’t get these e-mails any more. To turn them on again, sign in and open your account.",
  ];
  return {
    status: 200,
    title: "E-mails stopped",
    body: (
      <Notice t={payerTexts.en} icon="check" tone="good" title="E-mails stopped" text={text}>
        <a className="button plain" href="/account#notifications">
          Notification settings
        </a>
      </Notice>
    ),
  };
}
