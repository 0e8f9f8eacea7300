import { PencilSimpleIcon } from "@phosphor-icons/react/dist/ssr/PencilSimple";
import { useRouter } from "next/navigation";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { CardExpiry, useCardName } from "@/components/tokenizations/words";
import { Button } from "@/components/ui/button";
import { Fact, Facts, linkClass, Panel } from "@/components/ui/detail";
import { useDialogs } from "@/components/ui/dialogs";
import { EditTarget } from "@/components/ui/edit-target";
import { Link } from "@/components/ui/link";
import { Moment } from "@/components/ui/moment";
import { onDemand } from "@/components/ui/on-demand";
import { formatMoney } from "@/lib/core/money";
import { type Customer, customerEndpoints, summedLinks } from "@/lib/resources/customers/contract";
import { mostPaidFirst } from "@/lib/resources/customers/totals";

const ChangeEmail = onDemand(() => import("./change-email").then(({ ChangeEmail }) => ChangeEmail));
const EditName = onDemand(() => import("./edit-name").then(({ EditName }) => EditName));

const CustomerLink = ({ email }: { email: string }) => (
  <Link href={`/customers/${encodeURIComponent(email)}`} className={linkClass}>
    {email}
  </Link>
);

/** What the customer has paid and owes, by currency, and since when they are known. */
export function CustomerSummary({ customer }: { customer: Customer }) {
  const t = useTranslations("customers.detail");
  const cardName = useCardName();
  const may = useMay();
  const { openSheet } = useDialogs();
  const totals = mostPaidFirst(customer.totals);
  const { name, email, card, payment_count, first_payment_at, last_payment_at } = customer;
  const { changed_to, changed_at, former_emails, links_moving } = customer;
  const router = useRouter();
  const changeEmail = () =>
    openSheet({
      title: t("changeEmail"),
      content: (close) => (
        <ChangeEmail
          customer={customer}
          onDone={(changed) => {
            close();
            router.push(`/customers/${encodeURIComponent(changed)}`);
          }}
        />
      ),
    });
  const edit = () =>
    openSheet({ title: t("editName"), content: (close) => <EditName customer={customer} onDone={close} /> });
  return (
    <Panel
      title={t("inAll")}
      action={
        <div className="flex flex-wrap justify-end">
          {may(customerEndpoints.changeEmail) && (
            <Button variant="ghost" onClick={changeEmail}>
              {t("changeEmail")}
            </Button>
          )}
          {may(customerEndpoints.update) && (
            <EditTarget edit={edit}>
              <Button variant="ghost" icon={<PencilSimpleIcon size={16} />} onClick={edit}>
                {t(name ? "editName" : "addName")}
              </Button>
            </EditTarget>
          )}
        </div>
      }
    >
      <Facts>
        <Fact term={t("email")} long>
          {email}
          {changed_to && changed_at && (
            <span className="block text-kumo-subtle">
              {t.rich("changedTo", {
                when: () => <Moment at={changed_at} />,
                email: () => <CustomerLink email={changed_to} />,
              })}
            </span>
          )}
          {former_emails.map((former) => (
            <span key={former} className="block text-kumo-subtle">
              {t.rich("formerly", { email: () => <CustomerLink email={former} /> })}
            </span>
          ))}
          {links_moving && <span className="block text-kumo-subtle">{t("linksMoving")}</span>}
        </Fact>
        {totals.map((total) => {
          const money = (cents: number) => formatMoney(cents, total.currency);
          const parts = [
            total.refunded_cents > 0 && t("refunded", { amount: money(total.refunded_cents) }),
            total.disputed_cents > 0 && t("disputed", { amount: money(total.disputed_cents) }),
          ].filter((part) => part !== false);
          return (
            <Fact key={total.currency} term={t("lifetimeIn", { currency: total.currency })}>
              <span className="font-medium tabular-nums">{money(total.lifetime_cents)}</span>
              {parts.length > 0 && (
                <span className="block text-kumo-subtle tabular-nums">
                  {[t("paid", { amount: money(total.paid_cents) }), ...parts].join(", ")}
                </span>
              )}
            </Fact>
          );
        })}
        {totals
          .filter(({ open_count }) => open_count > 0)
          .map((total) => (
            <Fact key={total.currency} term={t("openIn", { currency: total.currency })}>
              <span className="font-medium tabular-nums">{formatMoney(total.open_cents, total.currency)}</span>
              {total.overdue_count > 0 && (
                <span className="block text-kumo-danger tabular-nums">
                  {t("overdue", { amount: formatMoney(total.overdue_cents, total.currency) })}
                </span>
              )}
            </Fact>
          ))}
        <Fact term={t("paymentCount")}>
          <span className="tabular-nums">{payment_count}</span>
          {first_payment_at && last_payment_at && (
            <span className="block text-kumo-subtle">
              {t.rich(payment_count === 1 ? "paidOn" : "paidBetween", {
                first: () => <Moment at={first_payment_at} />,
                last: () => <Moment at={last_payment_at} />,
              })}
            </span>
          )}
        </Fact>
        <Fact term={t("card")}>
          {card ? (
            <>
              {cardName(card)} <CardExpiry card={card} />
            </>
          ) : (
            <span className="text-kumo-subtle">{t("noneSaved")}</span>
          )}
        </Fact>
        <Fact term={t("firstSeen")}>
          <Moment at={customer.created_at} />
        </Fact>
        <Fact term={t("newestActivity")}>
          <Moment at={customer.last_activity_at} />
        </Fact>
      </Facts>
      {customer.totals_are_lower_bound && (
        <p className="px-4 pb-4 text-base text-kumo-subtle">{t("newestLinks", { count: summedLinks.one })}</p>
      )}
    </Panel>
  );
}
