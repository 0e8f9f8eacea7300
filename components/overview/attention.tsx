import { WarningCircleIcon } from "@phosphor-icons/react/dist/ssr/WarningCircle";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useId, useState } from "react";
import { useTranslations } from "use-intl";
import { useMay, useMode } from "@/components/shell/may";
import { gatewayPath } from "@/components/shell/no-gateway-bar";
import { Button } from "@/components/ui/button";
import { linkClass, Panel } from "@/components/ui/detail";
import { ButtonLink, Link } from "@/components/ui/link";
import { LoadFailure } from "@/components/ui/list/list-frame";
import { Moment } from "@/components/ui/moment";
import { LoadBoundary, onDemand } from "@/components/ui/on-demand";
import { gatewayAccountEndpoints } from "@/lib/resources/gateway-accounts/contract";
import type { Overview } from "@/lib/resources/reports/contract";
import { maxProblems, type ProblemKind, problemKinds } from "@/lib/resources/reports/problems-contract";
import { problemsQueryOptions } from "@/lib/resources/reports/queries";
import { webhookEndpointEndpoints } from "@/lib/resources/webhook-endpoints/contract";

const ProblemLines = onDemand(() => import("./problem-lines").then(({ ProblemLines }) => ProblemLines));

interface Entry {
  number: number;
  href: string;
  title: string;
  text: ReactNode;
  /** Has a line for each problem. Other entries are one problem, or lead to its list. */
  lines?: ProblemKind;
  action?: string;
}

/** On a phone, so that the figures stay in view below: the most urgent kinds, each with its newest problem. */
const shownOnPhone = 2;
const oneLineOnPhone = "max-md:*:nth-[n+2]:hidden";

/** What needs attention, the most urgent first: each problem is a line with its action. */
export function Attention({ attention }: { attention: Overview["attention"] }) {
  const t = useTranslations("overview.attention");
  const id = useId();
  const [all, setAll] = useState(false);
  const problems = useQuery({ ...problemsQueryOptions(), enabled: problemKinds.some((kind) => attention[kind] > 0) });
  const entries = useEntries(attention).filter(({ number }) => number > 0);
  if (entries.length === 0) return null;
  const isCut = entries.length > shownOnPhone || entries.some(({ lines, number }) => lines && number > 1);
  const linesLook = all ? undefined : oneLineOnPhone;
  return (
    <Panel title={t("title")}>
      {problems.isError && !problems.data && <LoadFailure of="single.problems" query={problems} />}
      <ul data-problems id={id}>
        {entries.map(({ number, href, title, text, lines, action }, index) => (
          <li
            key={href}
            className={`border-b border-kumo-hairline last:border-0 ${all || index < shownOnPhone ? "" : "max-md:hidden"}`}
          >
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
              <div className="flex min-w-0 flex-1 basis-56 gap-3">
                <WarningCircleIcon
                  size={20}
                  weight="fill"
                  className="mt-px shrink-0 text-(--ink-warning)"
                  aria-hidden
                />
                <div className="min-w-0">
                  <Link
                    href={href}
                    className={`touch-target inline-block text-base font-medium text-kumo-strong ${linkClass}`}
                  >
                    {title}
                  </Link>
                  <p className="text-sm text-kumo-subtle">{text}</p>
                </div>
              </div>
              {action && (
                <span className="pl-8">
                  <ButtonLink href={href} className="max-sm:h-11">
                    {action}
                  </ButtonLink>
                </span>
              )}
            </div>
            {lines && problems.isPending && <Placeholder lines={number} className={linesLook} />}
            {lines && problems.data && (
              <LoadBoundary>
                <Suspense fallback={<Placeholder lines={number} className={linesLook} />}>
                  <ul aria-label={title} className={linesLook}>
                    <ProblemLines kind={lines} data={problems.data} />
                  </ul>
                </Suspense>
              </LoadBoundary>
            )}
            {lines && number > maxProblems && (
              <p className={`border-t border-kumo-hairline py-2.5 pl-12 text-base ${all ? "" : "max-md:hidden"}`}>
                <Link
                  href={href}
                  aria-label={t("seeAllOf", { title })}
                  className={`touch-target text-kumo-strong ${linkClass}`}
                >
                  {t("seeAll")}
                </Link>
              </p>
            )}
          </li>
        ))}
      </ul>
      {isCut && (
        <div className="px-3 pb-2 md:hidden">
          <Button
            variant="ghost"
            className="w-full max-sm:h-11"
            aria-expanded={all}
            aria-controls={id}
            onClick={() => setAll(!all)}
          >
            {all ? t("showFewer") : t("showMore")}
          </Button>
        </div>
      )}
    </Panel>
  );
}

/** As high as the lines that come, so that nothing below them moves. */
const Placeholder = ({ lines, className }: { lines: number; className?: string }) => (
  <div aria-hidden className={className}>
    {["first", "second", "third"].slice(0, Math.min(lines, maxProblems)).map((line) => (
      <div key={line} className="h-15" />
    ))}
  </div>
);

function useEntries(attention: Overview["attention"]): Entry[] {
  const t = useTranslations("overview.attention");
  const may = useMay();
  const mode = useMode();
  const { open_disputes, dispute_deadline } = attention;
  const connects = may(gatewayAccountEndpoints.connect);
  return [
    {
      number: open_disputes,
      href: "/disputes?status=needs_response",
      title: t("openDisputes", { count: open_disputes }),
      action: t("seeDisputes"),
      text: (
        <>
          {dispute_deadline && (
            <>
              {t("nextDeadline")} <Moment at={dispute_deadline} time />.{" "}
            </>
          )}
          {t("openDisputesHelp")} {mode === "test" && t("sandboxDisputesHelp")}
        </>
      ),
    },
    {
      number: attention.broken_gateway_accounts,
      href: connects ? gatewayPath : "/payments?status=failed",
      title: t("brokenAccounts"),
      text: t("brokenAccountsHelp"),
      action: connects ? t("reconnect") : undefined,
    },
    {
      number: attention.mismatched_payments,
      href: "/payments?mismatch=open",
      title: t("mismatchedPayments", { count: attention.mismatched_payments }),
      text: t("mismatchedPaymentsHelp"),
      lines: "mismatched_payments",
    },
    {
      number: attention.untold_prices,
      href: "/subscriptions?untold_price=true",
      title: t("untoldPrices", { count: attention.untold_prices }),
      text: t("untoldPricesHelp"),
      lines: "untold_prices",
    },
    {
      number: attention.unknown_payments,
      href: "/payments?status=unknown",
      title: t("unknownPayments", { count: attention.unknown_payments }),
      text: t("unknownPaymentsHelp"),
      lines: "unknown_payments",
    },
    {
      number: attention.failed_first_payments,
      href: "/subscriptions?first_payment_failed=true",
      title: t("failedFirstPayments", { count: attention.failed_first_payments }),
      text: t("failedFirstPaymentsHelp"),
      lines: "failed_first_payments",
    },
    {
      number: attention.past_due_subscriptions,
      href: "/subscriptions?status=past_due",
      title: t("pastDueSubscriptions", { count: attention.past_due_subscriptions }),
      text: t("pastDueSubscriptionsHelp"),
      lines: "past_due_subscriptions",
    },
    {
      number: attention.unpaid_subscriptions,
      href: "/subscriptions?status=unpaid",
      title: t("unpaidSubscriptions", { count: attention.unpaid_subscriptions }),
      text: t("unpaidSubscriptionsHelp"),
      lines: "unpaid_subscriptions",
    },
    {
      number: attention.failed_refunds,
      href: "/refunds?unresolved=true",
      title: t("failedRefunds", { count: attention.failed_refunds }),
      text: t("failedRefundsHelp"),
      lines: "failed_refunds",
    },
    {
      number: may(webhookEndpointEndpoints.list) ? attention.failing_webhooks : 0,
      href: "/developers/webhooks?failing=true",
      title: t("failingWebhooks", { count: attention.failing_webhooks }),
      text: t("failingWebhooksHelp"),
      lines: "failing_webhooks",
    },
    {
      number: attention.differing_balances,
      href: "/payouts",
      title: t("differingBalances"),
      text: t("differingBalancesHelp"),
      action: t("seeDifferences"),
    },
    {
      number: attention.unknown_charges,
      href: "#unknown-charges",
      title: t("unknownCharges", { count: attention.unknown_charges }),
      text: t("unknownChargesHelp"),
    },
  ];
}
