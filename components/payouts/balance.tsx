import { ArrowsClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ArrowsClockwise";
import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { HourglassIcon } from "@phosphor-icons/react/dist/ssr/Hourglass";
import { WarningCircleIcon } from "@phosphor-icons/react/dist/ssr/WarningCircle";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Fact, linkClass, Panel } from "@/components/ui/detail";
import { Link } from "@/components/ui/link";
import { LoadFailure } from "@/components/ui/list/list-frame";
import { Pill } from "@/components/ui/pill";
import { useToasts } from "@/components/ui/toasts";
import { When } from "@/components/ui/when";
import { formatMoney } from "@/lib/core/money";
import { type Balance, type Difference, payoutEndpoints } from "@/lib/resources/payouts/contract";
import { balanceQueryOptions, useRefreshBalance, useReloadPayouts } from "@/lib/resources/payouts/queries";
import { AccountName } from "./words";

type Account = Balance["accounts"][number];

/** The balance with its button "Refresh". Renders nothing until a gateway was used. */
export function BalancePanel() {
  const t = useTranslations("payouts.balance");
  const balance = useQuery(balanceQueryOptions());
  useReloadAfterImport(balance);
  if (balance.isError) return <LoadFailure of="single.balance" query={balance} />;
  const { accounts = [], refreshing = false } = balance.data ?? {};
  if (accounts.length === 0) return null;
  return (
    <Panel title={t("title")} action={<Refresh refreshing={refreshing} />}>
      <ul>
        {accounts.map((account) => (
          <li
            key={account.gateway_account_id ?? "sandbox"}
            className="grid gap-3 border-b border-kumo-hairline px-4 py-3.5 last:border-0"
          >
            <AccountBalance account={account} refreshing={refreshing} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function useReloadAfterImport({ data }: UseQueryResult<Balance>): void {
  const reload = useReloadPayouts();
  const wasRefreshing = useRef(false);
  const refreshing = data?.refreshing ?? false;
  useEffect(() => {
    if (wasRefreshing.current && !refreshing) reload();
    wasRefreshing.current = refreshing;
  });
}

function Refresh({ refreshing }: { refreshing: boolean }) {
  const t = useTranslations("payouts.balance");
  const toasts = useToasts();
  const { mutate, isPending } = useRefreshBalance();
  if (!useMay()(payoutEndpoints.refresh)) return null;
  return (
    <Button
      variant="secondary"
      icon={<ArrowsClockwiseIcon size={16} />}
      loading={isPending || refreshing}
      onClick={() => mutate(undefined, { onError: (error) => toasts.failed(t("refreshFailed"), error) })}
    >
      {t("refresh")}
    </Button>
  );
}

function AccountBalance({ account, refreshing }: { account: Account; refreshing: boolean }) {
  const t = useTranslations("payouts.balance");
  const { currencies, differences, problem, equals_books, refreshed_at } = account;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1.5">
        <div className="min-w-0">
          <p className="text-base font-medium wrap-anywhere text-kumo-strong">
            <AccountName of={account} />
          </p>
          <p role="status" className="text-sm text-kumo-subtle">
            {refreshing ? (
              t("refreshing")
            ) : refreshed_at ? (
              <>
                {t("readAt")} <When at={refreshed_at} />
              </>
            ) : (
              t("neverRead")
            )}
          </p>
        </div>
        {refreshed_at &&
          (equals_books ? (
            <Pill icon={CheckCircleIcon} tone="good" label={t("equal")} />
          ) : equals_books === false ? (
            <Pill icon={WarningCircleIcon} tone="warning" label={t("differs")} />
          ) : (
            <Pill icon={HourglassIcon} tone="quiet" label={t("notCompared")} />
          ))}
      </div>
      <Alert>{problem && t(problem)}</Alert>
      {!problem && refreshed_at && equals_books === null && (
        <p className="text-base text-kumo-default">{t("moving")}</p>
      )}
      {currencies.map(({ currency, amount_cents, on_its_way_cents }) => (
        <dl key={currency} className="grid grid-cols-2 gap-x-6 sm:grid-cols-[14rem_1fr]">
          <Fact term={t("held", { currency })}>
            <span className="text-xl font-semibold tracking-tight text-kumo-strong tabular-nums">
              {formatMoney(amount_cents, currency)}
            </span>
          </Fact>
          <Fact term={t("onItsWay")}>
            <span className="text-xl font-semibold tracking-tight text-kumo-strong tabular-nums">
              {formatMoney(on_its_way_cents, currency)}
            </span>
          </Fact>
        </dl>
      ))}
      {differences.length > 0 && (
        <ul className="grid gap-2">
          {differences.map((difference) => (
            <DifferenceLine
              key={difference.balance_entry_id ?? difference.payment_id ?? difference.currency}
              of={difference}
            />
          ))}
        </ul>
      )}
    </>
  );
}

function DifferenceLine({
  of: { kind, type, amount_cents, currency, payment_id, gateway_reference },
}: {
  of: Difference;
}) {
  const t = useTranslations("payouts");
  return (
    <li className="flex items-start justify-between gap-x-6 text-base text-kumo-default">
      <span className="min-w-0">
        {t(`difference.${kind}`, { type: t(`entry.${type ?? "adjustment"}`) })}{" "}
        {payment_id && (
          <Link href={`/payments/${payment_id}`} className={linkClass}>
            {t("difference.viewPayment")}
          </Link>
        )}
        {gateway_reference && (
          <span className="block font-mono text-xs wrap-anywhere text-kumo-subtle">{gateway_reference}</span>
        )}
      </span>
      <span className="shrink-0 font-medium tabular-nums">{formatMoney(amount_cents, currency)}</span>
    </li>
  );
}
