import { useTimeZone, useTranslations } from "use-intl";
import { amountColumn, type Column } from "@/components/ui/list/columns";
import { Moment, momentWords } from "@/components/ui/moment";
import { NewTabIcon } from "@/components/ui/new-tab-link";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { PeriodBadge } from "./words";

/** @param open the oldest unpaid period */
export const periodColumns = (subscription: Subscription, open: PaymentLink | null): Column<PaymentLink>[] => {
  const facts = { subscription, open };
  return [
    {
      key: "period",
      label: (t) => t("subscriptions.periods.period"),
      cell: (link) => <Span link={link} />,
      href: ({ _id }) => `/payment-links/${_id}`,
      table: "heading",
      card: "heading",
      width: 15,
    },
    amountColumn((t) => t("subscriptions.periods.amount"), { width: 7.5 }),
    {
      key: "status",
      label: (t) => t("subscriptions.periods.status"),
      width: 9,
      cell: (link) => <PeriodBadge link={link} subscription={subscription} />,
      card: "foot",
    },
    {
      key: "tries",
      label: (t) => t("subscriptions.periods.tries"),
      align: "right",
      width: 6,
      cell: ({ attempt_count }) => (
        <span className={attempt_count === 0 ? "text-kumo-subtle" : ""}>{attempt_count}</span>
      ),
      card: "meta",
      cardCell: ({ status, attempt_count }, t) =>
        status === "Active" && attempt_count > 0 && t("subscriptions.periods.triesSoFar", { count: attempt_count }),
    },
    {
      key: "next_attempt",
      label: (t) => t("subscriptions.periods.nextAttempt"),
      look: "text-kumo-subtle",
      cell: (link) => <NextAttempt link={link} {...facts} />,
      card: "meta",
      cardCell: (link, t) => {
        if (link.status !== "Active") return null;
        const when = () => <NextAttempt link={link} {...facts} />;
        return link.next_attempt_at ? t.rich("subscriptions.periods.next", { when }) : when();
      },
    },
    {
      key: "actions",
      label: (t) => t("shell.list.actions"),
      width: 3.5,
      cell: (link) => <OpenPayPage link={link} />,
    },
  ];
};

function Span({ link: { period_start, period_end } }: { link: PaymentLink }) {
  return (
    <>
      {period_start && <Moment at={period_start} />} – {period_end && <Moment at={period_end} />}
    </>
  );
}

interface NextAttemptProps {
  link: PaymentLink;
  subscription: Subscription;
  open: PaymentLink | null;
}

function NextAttempt({ link, subscription, open }: NextAttemptProps) {
  const t = useTranslations("subscriptions.periods");
  if (link.status === "Active") {
    if (link.next_attempt_at) return <Moment at={link.next_attempt_at} time />;
    const running = ["created", "active", "past_due"].includes(subscription.status);
    if (running && open && open._id !== link._id) return t("afterPrevious");
    return t("byPayer");
  }
  return (
    <>
      <span aria-hidden>–</span>
      <span className="sr-only">{t("none")}</span>
    </>
  );
}

function OpenPayPage({ link }: { link: PaymentLink }) {
  const t = useTranslations("subscriptions.periods");
  const zone = useTimeZone() ?? "UTC";
  const start = momentWords(link.period_start ?? link.created_at, zone);
  return <NewTabIcon href={link.payment_url} label={t("openPayPage", { start })} />;
}
