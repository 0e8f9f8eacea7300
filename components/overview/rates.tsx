import { useQuery } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "use-intl";
import { Panel } from "@/components/ui/detail";
import { LoadFailure } from "@/components/ui/list/list-frame";
import { maxFailures, maxLinks, type RatesOfPeriod } from "@/lib/resources/reports/contract";
import { ratesQueryOptions } from "@/lib/resources/reports/queries";
import { FigureTable } from "./figure-table";

const steps = ["created", "opened", "tried", "paid"] as const;

/** Why attempts to pay failed, and what became of payment links, in one currency. */
export function Rates({ currency, days }: { currency: string; days: { from: string; to: string } }) {
  const t = useTranslations("overview.rates");
  const reasons = useTranslations("payments.reason");
  const format = useFormatter();
  const query = useQuery(ratesQueryOptions(days));
  if (query.isPending) return <div hidden data-coming />;
  if (query.isError) return <LoadFailure of="single.rates" query={query} />;
  const { period: now, previous } = query.data;
  const failuresIn = ({ failures }: RatesOfPeriod) => failures.filter((each) => each.currency === currency);
  const linksIn = ({ links }: RatesOfPeriod) => links.find((each) => each.currency === currency);
  const [failures, failuresBefore] = [failuresIn(now), failuresIn(previous)];
  const [links, linksBefore] = [linksIn(now), linksIn(previous)];
  const share = (of: typeof links, step: (typeof steps)[number]) =>
    of
      ? format.number(step === "created" ? 1 : of[`${step}_rate`], { style: "percent", maximumFractionDigits: 0 })
      : "–";
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-2 lg:items-start">
      <Panel title={t("links", { currency })}>
        <div className="px-4 py-2">
          {links ? (
            <FigureTable
              caption={t("linksCaption", { currency })}
              columns={[t("step"), t("count"), t("share"), t("shareBefore")]}
              rows={steps.map((step) => ({
                key: step,
                cells: [t(step), format.number(links[step]), share(links, step), share(linksBefore, step)],
              }))}
            />
          ) : (
            !now.links_are_sample && <p className="py-3 text-base text-kumo-subtle">{t("noLinks")}</p>
          )}
          {now.links_are_sample && <Sample>{t("linksSample", { count: maxLinks })}</Sample>}
        </div>
      </Panel>
      <Panel title={t("failures", { currency })}>
        <div className="px-4 py-2">
          {failures.length > 0 ? (
            <FigureTable
              caption={t("failuresCaption", { currency })}
              columns={[t("reason"), t("attempts"), t("attemptsBefore")]}
              rows={failures.map(({ reason, count }) => ({
                key: reason,
                cells: [
                  reasons(reason),
                  format.number(count),
                  format.number(failuresBefore.find((each) => each.reason === reason)?.count ?? 0),
                ],
              }))}
            />
          ) : (
            <p className="py-3 text-base text-kumo-subtle">{t("noFailures")}</p>
          )}
          {now.failures_are_sample && <Sample>{t("failuresSample", { count: maxFailures })}</Sample>}
        </div>
      </Panel>
    </div>
  );
}

const Sample = ({ children }: { children: string }) => <p className="pt-1 pb-2 text-sm text-kumo-subtle">{children}</p>;
