import { formatMoney } from "@/lib/core/money";
import { untrusted } from "@/lib/outbox/mail/untrusted-text";
import type { DigestCount, DigestMoney } from "@/lib/resources/emails/templates";
import { Action, Aside, Facts, Title } from "./frame";
import type { StaffTemplates } from "./staff-templates";
import { moment, titleIn } from "./words";

const counted: Record<DigestCount, string> = {
  disputes_opened: "Disputes opened",
  disputes_ended: "Disputes ended",
  subscriptions_started: "Subscriptions started",
  subscriptions_ended: "Subscriptions ended or unpaid",
  payouts_paid: "Payouts paid",
  payouts_failed: "Payouts failed",
};

const dayFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });
/** Reversed marks as paid and returned refunds are subtracted. So a sum or its count can be negative, or zero without the other. */
const isNonZero = (cents: number, count: number): boolean => cents !== 0 || count !== 0;
const payments = (count: number): string => (count === 1 ? "1 payment" : `${count.toLocaleString("en")} payments`);

const collected = ({ currency, collected_cents, collected_count }: DigestMoney): string | null =>
  isNonZero(collected_cents, collected_count)
    ? [formatMoney(collected_cents, currency), ...(collected_count > 0 ? [payments(collected_count)] : [])].join(", ")
    : null;

/** Mails about the kinds of events that a member chose, and the daily digest. */
export const notificationTemplates: Pick<StaffTemplates, "notifications" | "daily_digest"> = {
  notifications({ lines, more, others = [], link }, head) {
    const [first] = lines;
    const count = lines.length + more;
    const isLowerBound = others.some(({ is_lower_bound }) => is_lower_bound);
    const summary = `${isLowerBound ? "More than " : ""}${count} ${count === 1 ? "notification" : "notifications"}`;
    const text = first ? untrusted(first.text, 100) : summary;
    const only = count === 1 ? first : undefined;
    return {
      subject: only ? `${text} at ${titleIn(head.business_name)}` : `${summary} from ${titleIn(head.business_name)}`,
      preview: text,
      body: (
        <>
          <Title>{only ? text : summary}</Title>
          <Facts
            facts={[
              ["Business", untrusted(head.business_name, 100)],
              head.livemode ? null : ["Mode", "Test"],
              ...lines.map(({ text, detail, created_at }): [string, string] => [
                moment(created_at, head),
                [untrusted(text, 100), ...(detail ? [untrusted(detail, 200)] : [])].join(", "),
              ]),
            ]}
          />
          <Action label={only ? "View details" : "View dashboard"} link={only ? only.link : link} />
          {first && more > 0 && (
            <Aside>And {isLowerBound ? `more than ${more} others` : `${more} more`}: see the dashboard.</Aside>
          )}
        </>
      ),
    };
  },

  daily_digest({ day, money, counts, link }, head) {
    const date = dayFormat.format(new Date(`${day}T00:00:00Z`));
    const [main] = money;
    return {
      subject: `${titleIn(head.business_name)}: ${date}`,
      preview: (main && collected(main)) ?? date,
      body: (
        <>
          <Title>{date}</Title>
          <Facts
            facts={[
              ["Business", untrusted(head.business_name, 100)],
              head.livemode ? null : ["Mode", "Test"],
              ...money.flatMap((sums): ([string, string] | null)[] => {
                const { currency, refunded_cents, refunded_count, failed_count } = sums;
                const taken = collected(sums);
                return [
                  taken ? [`Collected, ${currency}`, taken] : null,
                  isNonZero(refunded_cents, refunded_count)
                    ? [`Refunded, ${currency}`, formatMoney(refunded_cents, currency)]
                    : null,
                  failed_count > 0 ? [`Failed, ${currency}`, payments(failed_count)] : null,
                ];
              }),
              ...counts.map(({ kind, count }): [string, string] => [
                counted[kind],
                count >= 1_000 ? "1,000 or more" : String(count),
              ]),
            ]}
          />
          <Action label="View dashboard" link={link} />
        </>
      ),
    };
  },
};
