import { ArrowSquareOutIcon } from "@phosphor-icons/react/dist/ssr/ArrowSquareOut";
import { useTranslations } from "use-intl";
import { StatusBadge } from "@/components/payment-links/status-badge";
import { buttonVariants } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { ActionsHead, Card, Cards, cell, Head, Row, Table } from "@/components/ui/list/table";
import { Moment, momentWords } from "@/components/ui/moment";
import { formatMoney } from "@/lib/core/money";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { useTimeZone } from "@/lib/resources/settings/queries";
import type { Subscription } from "@/lib/resources/subscriptions/contract";

interface PeriodRowsProps {
  rows: PaymentLink[];
  subscription: Subscription;
  /** The oldest one that is not paid. */
  open: PaymentLink | null;
}

/** The periods from 1024 px on. */
export function PeriodTable({ rows, ...facts }: PeriodRowsProps) {
  const t = useTranslations("subscriptions.periods");
  return (
    <Table
      caption={t("caption")}
      head={
        <>
          <Head className="w-60">{t("period")}</Head>
          <Head className="w-32 !text-right">{t("amount")}</Head>
          <Head className="w-36 !pl-8">{t("status")}</Head>
          <Head className="w-28 !text-right">{t("tries")}</Head>
          <Head className="!pl-8">{t("nextAttempt")}</Head>
          <ActionsHead className="w-16" />
        </>
      }
    >
      {rows.map((link) => (
        <Row key={link._id}>
          <th scope="row" className={`${cell} text-left font-medium text-kumo-strong`}>
            <Link href={`/payment-links/${link._id}`} className="row-link">
              <Span link={link} />
            </Link>
          </th>
          <td className={`${cell} text-right font-medium tabular-nums`}>
            {formatMoney(link.amount_cents, link.currency)}
          </td>
          <td className={`${cell} !pl-8`}>
            <StatusBadge status={link.status} />
          </td>
          <td className={`${cell} text-right tabular-nums ${link.attempt_count === 0 ? "text-kumo-subtle" : ""}`}>
            {link.attempt_count}
          </td>
          <td className={`${cell} !pl-8 text-kumo-subtle`}>
            <NextAttempt link={link} {...facts} />
          </td>
          <td className="px-2 text-right">
            <OpenPayPage link={link} />
          </td>
        </Row>
      ))}
    </Table>
  );
}

/** The periods on phones and small tablets. */
export function PeriodCards({ rows, ...facts }: PeriodRowsProps) {
  const t = useTranslations("subscriptions.periods");
  return (
    <Cards label={t("caption")}>
      {rows.map((link) => (
        <Card key={link._id}>
          <div className="flex items-baseline justify-between gap-4">
            <h3 className="min-w-0 text-base font-medium text-kumo-strong">
              <Link href={`/payment-links/${link._id}`} className="block py-0.5 row-link">
                <Span link={link} />
              </Link>
            </h3>
            <span className="shrink-0 text-base font-semibold text-kumo-strong tabular-nums">
              {formatMoney(link.amount_cents, link.currency)}
            </span>
          </div>
          {link.status === "Active" && (
            <p className="text-sm text-kumo-subtle">
              {link.attempt_count > 0 && `${t("triesSoFar", { count: link.attempt_count })} `}
              {link.next_attempt_at ? (
                t.rich("next", { when: () => <NextAttempt link={link} {...facts} /> })
              ) : (
                <NextAttempt link={link} {...facts} />
              )}
            </p>
          )}
          <div className="-mr-2 flex h-9 items-center justify-between">
            <StatusBadge status={link.status} />
            <OpenPayPage link={link} />
          </div>
        </Card>
      ))}
    </Cards>
  );
}

function Span({ link: { period_start, period_end } }: { link: PaymentLink }) {
  return (
    <>
      {period_start && <Moment at={period_start} />} – {period_end && <Moment at={period_end} />}
    </>
  );
}

type NextAttemptProps = Omit<PeriodRowsProps, "rows"> & { link: PaymentLink };

/** When a period that is not paid is charged next, or what it waits for. */
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
  return (
    <a
      href={link.payment_url}
      target="_blank"
      rel="noreferrer"
      className={buttonVariants({ variant: "ghost", shape: "square" })}
      aria-label={t("openPayPage", { start: momentWords(link.period_start ?? link.created_at, zone) })}
    >
      <ArrowSquareOutIcon size={16} aria-hidden />
    </a>
  );
}
