import { WarningCircleIcon } from "@phosphor-icons/react/dist/ssr/WarningCircle";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { linkClass, Panel } from "@/components/ui/detail";
import { Link } from "@/components/ui/link";
import { Moment } from "@/components/ui/moment";
import { gatewayAccountEndpoints } from "@/lib/resources/gateway-accounts/contract";
import type { Overview } from "@/lib/resources/reports/contract";
import { useFailedRefunds } from "@/lib/resources/reports/queries";
import { webhookEndpointEndpoints } from "@/lib/resources/webhook-endpoints/contract";

export function Attention({ attention }: { attention: Overview["attention"] }) {
  const t = useTranslations("overview.attention");
  const { unknown_payments, past_due_subscriptions, unpaid_subscriptions, failed_refunds, failed_first_payments } =
    attention;
  const failing_webhooks = useMay()(webhookEndpointEndpoints.list) ? attention.failing_webhooks : 0;
  const refunds = useFailedRefunds(failed_refunds > 0);
  const refunded = refunds.data?.rows[0];
  const { open_disputes, dispute_deadline } = attention;
  const entries = [
    {
      number: open_disputes,
      href: "/disputes?status=needs_response",
      title: t("openDisputes", { count: open_disputes }),
      text: (
        <>
          {dispute_deadline && (
            <>
              {t("nextDeadline")} <Moment at={dispute_deadline} time />.{" "}
            </>
          )}
          {t("openDisputesHelp")}
        </>
      ),
    },
    {
      number: attention.broken_gateway_accounts,
      href: useMay()(gatewayAccountEndpoints.connect) ? "/settings#gateway" : "/payments?status=failed",
      title: t("brokenAccounts"),
      text: t("brokenAccountsHelp"),
    },
    {
      number: attention.mismatched_payments,
      href: "/payments?mismatch=open",
      title: t("mismatchedPayments", { count: attention.mismatched_payments }),
      text: t("mismatchedPaymentsHelp"),
    },
    {
      number: attention.untold_prices,
      href: "/subscriptions?untold_price=true",
      title: t("untoldPrices", { count: attention.untold_prices }),
      text: t("untoldPricesHelp"),
    },
    {
      number: unknown_payments,
      href: "/payments?status=unknown",
      title: t("unknownPayments", { count: unknown_payments }),
      text: t("unknownPaymentsHelp"),
    },
    {
      number: failed_first_payments,
      href: "/subscriptions?status=created",
      title: t("failedFirstPayments", { count: failed_first_payments }),
      text: t("failedFirstPaymentsHelp"),
    },
    {
      number: past_due_subscriptions,
      href: "/subscriptions?status=past_due",
      title: t("pastDueSubscriptions", { count: past_due_subscriptions }),
      text: t("pastDueSubscriptionsHelp"),
    },
    {
      number: unpaid_subscriptions,
      href: "/subscriptions?status=unpaid",
      title: t("unpaidSubscriptions", { count: unpaid_subscriptions }),
      text: t("unpaidSubscriptionsHelp"),
    },
    {
      number: failed_refunds,
      href: refunded ? `/payments/${refunded.payment_id}` : "/payments?status=succeeded",
      title: t("failedRefunds", { count: failed_refunds }),
      text: t("failedRefundsHelp"),
    },
    {
      number: failing_webhooks,
      href: "/developers/webhooks",
      title: t("failingWebhooks", { count: failing_webhooks }),
      text: t("failingWebhooksHelp"),
    },
    {
      number: attention.differing_balances,
      href: "/payouts",
      title: t("differingBalances"),
      text: t("differingBalancesHelp"),
    },
    {
      number: attention.unknown_charges,
      href: "#unknown-charges",
      title: t("unknownCharges", { count: attention.unknown_charges }),
      text: t("unknownChargesHelp"),
    },
  ].filter(({ number }) => number > 0);
  if (entries.length === 0) return null;
  return (
    <Panel title={t("title")}>
      <ul>
        {entries.map(({ href, title, text }) => (
          <li key={title} className="flex gap-3 border-b border-kumo-hairline px-4 py-3 last:border-0">
            <WarningCircleIcon size={20} weight="fill" className="mt-px shrink-0 text-(--ink-warning)" aria-hidden />
            <div className="min-w-0">
              <Link href={href} className={`text-base font-medium text-kumo-strong ${linkClass}`}>
                {title}
              </Link>
              <p className="text-sm text-kumo-subtle">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
