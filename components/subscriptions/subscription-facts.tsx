import { useTranslations } from "use-intl";
import { priceWords } from "@/components/packages/words";
import { useMay } from "@/components/shell/may";
import { CardExpiry, useCardName } from "@/components/tokenizations/words";
import { Button } from "@/components/ui/button";
import { Fact, linkClass } from "@/components/ui/detail";
import { useDialogs } from "@/components/ui/dialogs";
import { Link } from "@/components/ui/link";
import { Moment } from "@/components/ui/moment";
import { onDemand } from "@/components/ui/on-demand";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { tokenizationEndpoints } from "@/lib/resources/tokenizations/contract";
import type { ChargedCard } from "@/lib/resources/tokenizations/queries";

const CreateTokenization = onDemand(() =>
  import("@/components/tokenizations/create-tokenization").then(({ CreateTokenization }) => CreateTokenization),
);

interface SubscriptionFactsProps {
  subscription: Subscription;
  card: ChargedCard | null | undefined;
  /** In place of a card that can be charged. */
  declined: ChargedCard | null;
}

export function SubscriptionFacts({ subscription, card, declined }: SubscriptionFactsProps) {
  const t = useTranslations("subscriptions.facts");
  const reasons = useTranslations("subscriptions.endedReason");
  const cardName = useCardName();
  const prices = useTranslations("packages.price");
  const { amount_cents, price_change } = subscription;
  const price = priceWords(prices, { ...subscription.package, amount_cents });
  const { email, phone_no, package: pkg, package_id, current_period_start, current_period_end } = subscription;
  const may = useMay();
  const { openSheet } = useDialogs();
  const askForCard = () =>
    openSheet({
      title: t("askForCard"),
      content: (close) => (
        <CreateTokenization
          initial={{
            email,
            // The API's limit is 50 characters.
            title: [...t("tokenizationTitle", { name: pkg.name })].slice(0, 50).join(""),
            description: t("tokenizationDescription", { price }),
          }}
          onDone={close}
        />
      ),
    });
  const shown = card ?? (card === null ? declined : null);
  const ended = subscription.status === "cancel" || subscription.status === "completed";
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 px-4 py-4 @4xl:grid-cols-4">
      <Fact term={t("package")}>
        <Link href={`/packages/${package_id}`} className={linkClass}>
          {pkg.name}
        </Link>
        <span className="block text-kumo-subtle">{price}</span>
        {price_change && (
          <span className="block text-kumo-subtle">
            {t.rich(price_change.told ? "priceChange" : "priceUntold", {
              price: priceWords(prices, { ...subscription.package, amount_cents: price_change.amount_cents }),
              when: () => <Moment at={price_change.from} />,
            })}
          </span>
        )}
      </Fact>
      <Fact term={t("card")}>
        {card === undefined ? <span className="text-kumo-subtle">…</span> : null}
        {card === null && !declined && <span className="block">{t("noCard")}</span>}
        {shown && (
          <span className="block">
            <Link href={`/tokenizations/${shown.tokenization_id}`} className={linkClass}>
              {cardName(shown)}
            </Link>{" "}
            <CardExpiry card={shown} />
          </span>
        )}
        {card === null && declined && <span className="block text-kumo-subtle">{t("declined")}</span>}
        {may(tokenizationEndpoints.create) && card !== undefined && !ended && (
          <Button
            variant="ghost"
            size="sm"
            className="-ml-2 !text-(--ink-brand) underline-offset-4 hover:underline"
            onClick={askForCard}
          >
            {t(shown ? "askForAnotherCard" : "askForCard")}
          </Button>
        )}
      </Fact>
      <Fact term={t("currentPeriod")}>
        {current_period_start && current_period_end ? (
          <>
            <Moment at={current_period_start} /> – <Moment at={current_period_end} />
          </>
        ) : (
          <span className="text-kumo-subtle">{t("noneBegun")}</span>
        )}
      </Fact>
      {subscription.ended_at && (
        <Fact term={t(subscription.status === "unpaid" ? "stopped" : "ended")}>
          <Moment at={subscription.ended_at} />
          {subscription.ended_reason && (
            <span className="block text-kumo-subtle">{reasons(subscription.ended_reason)}</span>
          )}
        </Fact>
      )}
      <Fact term={t("phone")}>{phone_no ?? <span className="text-kumo-subtle">{t("phoneNotGiven")}</span>}</Fact>
    </dl>
  );
}
