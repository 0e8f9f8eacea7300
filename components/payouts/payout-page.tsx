"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { DetailFrame } from "@/components/shell/detail-frame";
import { useListAddress } from "@/components/shell/use-list-address";
import { DetailHead, Fact, Facts, MomentFact, Panel } from "@/components/ui/detail";
import { List } from "@/components/ui/list/list";
import { momentWords } from "@/components/ui/moment";
import { formatMoney } from "@/lib/core/money";
import type { Payout } from "@/lib/resources/payouts/contract";
import { payoutEntriesQueryOptions, payoutQueryOptions } from "@/lib/resources/payouts/queries";
import { entryColumns } from "./columns";
import { entryFilters } from "./filters";
import { AccountName, Day, PayoutBadge } from "./words";

export function PayoutPage({ id }: { id: string }) {
  const payout = useQuery(payoutQueryOptions(id));
  return (
    <DetailFrame
      list="/payouts"
      id={id}
      of="payout"
      query={payout}
      about={({ arrival_date }) => [momentWords(arrival_date, "UTC")]}
    >
      {(data) => <Loaded payout={data} />}
    </DetailFrame>
  );
}

function Loaded({ payout }: { payout: Payout }) {
  const texts = useTranslations("payouts");
  const t = useTranslations("payouts.detail");
  return (
    <div>
      <DetailHead
        title={<span className="tabular-nums">{formatMoney(payout.amount_cents, payout.currency)}</span>}
        badge={<PayoutBadge status={payout.status} />}
      />
      <div className="grid grid-cols-1 gap-6">
        <Panel title={t("heading")}>
          <p className="border-b border-kumo-hairline px-4 py-3.5 text-base text-kumo-default">
            {texts(`statusText.${payout.status}`)}
          </p>
          <Facts>
            <MomentFact term={t("made")} at={payout.created_at} />
            <Fact term={t("arrival")}>
              <Day of={payout.arrival_date} />
            </Fact>
            <Fact term={t("reference")}>{payout.bank_reference ?? t("noReference")}</Fact>
            <Fact term={t("account")}>
              <AccountName of={payout} />
            </Fact>
            <Fact term={t("gatewayReference")} wide code>
              {payout.gateway_reference}
            </Fact>
            <Fact term={t("id")} wide code>
              {payout._id}
            </Fact>
          </Facts>
        </Panel>
        <Panel title={t("contents")}>
          <Totals payout={payout} />
        </Panel>
        {payout.totals.length > 0 && <Entries payoutId={payout._id} />}
      </div>
    </div>
  );
}

const cell = "px-2 py-2.5 text-right tabular-nums last:pr-4 max-sm:px-1.5";

function Totals({ payout: { totals, amount_cents, currency } }: { payout: Payout }) {
  const texts = useTranslations("payouts");
  const t = useTranslations("payouts.detail");
  if (totals.length === 0) return <p className="px-4 py-5 text-base text-kumo-subtle">{t("noContents")}</p>;
  const money = (cents: number) => formatMoney(cents, currency);
  return (
    <table className="w-full border-collapse text-base text-kumo-default max-sm:text-sm">
      <caption className="sr-only">{t("contents")}</caption>
      <thead>
        <tr className="border-b border-kumo-hairline text-sm text-kumo-subtle">
          <th scope="col" className="py-2.5 pl-4 text-left font-medium">
            {t("type")}
          </th>
          <th scope="col" className={`${cell} font-medium max-sm:hidden`}>
            {t("count")}
          </th>
          <th scope="col" className={`${cell} font-medium`}>
            {t("amount")}
          </th>
          <th scope="col" className={`${cell} font-medium`}>
            {t("fee")}
          </th>
          <th scope="col" className={`${cell} font-medium`}>
            {t("net")}
          </th>
        </tr>
      </thead>
      <tbody>
        {totals.map(({ type, count, amount_cents: amount, fee_cents: fee, net_cents: net }) => (
          <tr key={type} className="border-b border-kumo-hairline">
            <th scope="row" className="py-2.5 pl-4 text-left font-normal">
              {texts(`entry.${type}`)}
            </th>
            <td className={`${cell} max-sm:hidden`}>{count}</td>
            <td className={cell}>{money(amount)}</td>
            <td className={cell}>{fee === 0 ? "–" : money(-fee)}</td>
            <td className={cell}>{money(net)}</td>
          </tr>
        ))}
        <tr className="font-medium text-kumo-strong">
          <th scope="row" className="py-2.5 pl-4 text-left font-medium">
            {t("total")}
          </th>
          <td className="max-sm:hidden" />
          <td />
          <td />
          <td className={cell}>{money(amount_cents)}</td>
        </tr>
      </tbody>
    </table>
  );
}

function Entries({ payoutId }: { payoutId: string }) {
  const t = useTranslations("payouts.entries");
  const address = useListAddress(entryFilters);
  return (
    <section className="grid grid-cols-1 gap-3" aria-labelledby="entries">
      <h2 id="entries" className="text-[15px] font-semibold text-kumo-strong">
        {t("title")}
      </h2>
      <div>
        <List
          of="payoutEntries"
          query={useQuery(payoutEntriesQueryOptions(payoutId, address.query))}
          address={address}
          filters={entryFilters}
          columns={entryColumns}
          caption={t("caption")}
          level="h3"
          empty={{ title: t("emptyTitle"), text: t("empty") }}
        />
      </div>
    </section>
  );
}
