"use client";

import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { AnnotationPanels } from "@/components/annotations/annotation-panels";
import { PayerName } from "@/components/customers/payer-name";
import { paymentColumns } from "@/components/payments/columns";
import { DetailFrame } from "@/components/shell/detail-frame";
import { useMay } from "@/components/shell/may";
import { subscriptionColumns } from "@/components/subscriptions/columns";
import { Timeline } from "@/components/timeline/timeline";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { DetailHead, Fact, Facts, linkClass, MomentFact, Panel } from "@/components/ui/detail";
import { Part } from "@/components/ui/detail-part";
import { Link } from "@/components/ui/link";
import { Moment } from "@/components/ui/moment";
import { NewTabLink, newTab } from "@/components/ui/new-tab-link";
import { eventsQueryOptions } from "@/lib/resources/events/queries";
import { paymentsQueryOptions } from "@/lib/resources/payments/queries";
import { subscriptionsQueryOptions } from "@/lib/resources/subscriptions/queries";
import { type Tokenization, tokenizationEndpoints } from "@/lib/resources/tokenizations/contract";
import { tokenizationQueryOptions, useSavedCard } from "@/lib/resources/tokenizations/queries";
import { useRevokeQuestion } from "./revoke-question";
import { CardExpiry, TokenizationBadge, useCardName } from "./words";

export function TokenizationPage({ id }: { id: string }) {
  const tokenization = useQuery(tokenizationQueryOptions(id));
  const cardName = useCardName();
  return (
    <DetailFrame
      list="/tokenizations"
      id={id}
      of="tokenization"
      query={tokenization}
      about={({ title, card }) => [card ? cardName(card) : title]}
    >
      {(data) => (
        <>
          <Head tokenization={data} />
          <div className="grid grid-cols-1 gap-6">
            <Details tokenization={data} />
            <AnnotationPanels endpoint={tokenizationEndpoints.annotate} resource={data} />
            {data.status === "active" && <Subscriptions email={data.email} />}
            {data.activated_at && <Payments tokenization={data} />}
            <Timeline of={{ tokenization: id }} asOf={tokenization.dataUpdatedAt} />
          </div>
        </>
      )}
    </DetailFrame>
  );
}

function Head({ tokenization }: { tokenization: Tokenization }) {
  const t = useTranslations("tokenizations");
  const { email, status, activation_url } = tokenization;
  const may = useMay();
  const askToRevoke = useRevokeQuestion(tokenization);
  return (
    <DetailHead title={email} badge={<TokenizationBadge tokenization={tokenization} />}>
      {status === "pending" && (
        <>
          <CopyButton text={activation_url} label={t("created.copyLabel")} variant="primary">
            {t("created.copy")}
          </CopyButton>
          <NewTabLink href={activation_url}>{t.rich("created.open", { newTab })}</NewTabLink>
        </>
      )}
      {may(tokenizationEndpoints.revoke) && status === "active" && (
        <Button variant="secondary" icon={<ProhibitIcon size={16} />} onClick={askToRevoke}>
          {t("detail.revoke")}
        </Button>
      )}
    </DetailHead>
  );
}

function Details({ tokenization }: { tokenization: Tokenization }) {
  const t = useTranslations("tokenizations.detail");
  const { _id, status, email, title, description, phone_no, redirect_url, activation_url } = tokenization;
  const { created_at, expires_at, activated_at } = tokenization;
  return (
    <Panel title={t("heading")}>
      <div className="border-b border-kumo-hairline px-4 py-4">
        <p className="text-[15px] font-medium text-kumo-strong">
          <Headline tokenization={tokenization} />
        </p>
        <p className="mt-1 text-base text-kumo-subtle">
          <State tokenization={tokenization} />
        </p>
      </div>
      <Facts>
        <Fact term={t("payer")} long>
          <Link href={`/customers/${encodeURIComponent(email)}`} className={linkClass}>
            <PayerName email={email} />
          </Link>
        </Fact>
        <Fact term={t("title")}>{title}</Fact>
        <Fact term={t("phone")}>{phone_no ?? <span className="text-kumo-subtle">{t("notGiven")}</span>}</Fact>
        <MomentFact term={t("created")} at={created_at} />
        {activated_at ? (
          <MomentFact term={t("saved")} at={activated_at} />
        ) : (
          <MomentFact term={t(status === "expired" ? "expired" : "expires")} at={expires_at} />
        )}
        {status === "revoked" && <RevokedFact id={_id} />}
        <Fact term={t("redirect")}>{redirect_url ?? t("noRedirect")}</Fact>
        <Fact term={t("description")} wide>
          <span className="whitespace-pre-line">{description}</span>
        </Fact>
        {status === "pending" && (
          <Fact term={t("link")} wide>
            <span className="font-mono text-xs break-all select-all">{activation_url}</span>
          </Fact>
        )}
        <Fact term={t("id")} wide code>
          {_id}
        </Fact>
      </Facts>
    </Panel>
  );
}

/** When the tokenization was revoked, by its event: `updated_at` moves with later notes. */
function RevokedFact({ id }: { id: string }) {
  const t = useTranslations("tokenizations.detail");
  const { data, isError } = useQuery(
    eventsQueryOptions({ resource_id: id, type: "tokenization.revoked", per_page: "1" }),
  );
  if (isError) return null;
  if (!data) return <Fact term={t("revoked")}>…</Fact>;
  return data.rows.map(({ _id, created_at }) => <MomentFact key={_id} term={t("revoked")} at={created_at} />);
}

function Headline({ tokenization: { card, status } }: { tokenization: Tokenization }): ReactNode {
  const t = useTranslations("tokenizations.detail");
  const cardName = useCardName();
  if (!card) return t(status === "pending" ? "noCardYet" : "noCard");
  return (
    <>
      {cardName(card)}{" "}
      <span className="font-normal">
        <CardExpiry card={card} />
      </span>
    </>
  );
}

function State({ tokenization }: { tokenization: Tokenization }): ReactNode {
  const t = useTranslations("tokenizations.detail.state");
  const { _id, status, email, expires_at, declined_at, card_expired } = tokenization;
  if (status === "active" && declined_at) return t.rich("declined", { when: () => <Moment at={declined_at} /> });
  if (status === "active" && card_expired) return t("cardExpired");
  if (status === "active") return <Charged id={_id} email={email} />;
  return t.rich(status, { when: () => <Moment at={expires_at} time /> });
}

/** Whether subscriptions of the e-mail are charged to this card: to the one that was saved last. */
function Charged({ id, email }: { id: string; email: string }) {
  const t = useTranslations("tokenizations.detail.state");
  const { data: card } = useSavedCard(email, false);
  if (card === undefined) return "…";
  if (card === null || card.tokenization_id === id) return t("active");
  return t.rich("later", {
    card: (words) => (
      <Link href={`/tokenizations/${card.tokenization_id}`} className={linkClass}>
        {words}
      </Link>
    ),
  });
}

function Subscriptions({ email }: { email: string }) {
  const t = useTranslations("tokenizations.detail");
  return (
    <Part
      title={t("subscriptions")}
      of="subscriptions"
      none={t("noSubscriptions")}
      all={{ href: `/subscriptions?email=${encodeURIComponent(email)}`, label: t("allSubscriptions") }}
      query={useQuery(subscriptionsQueryOptions({ email }))}
      columns={subscriptionColumns}
    />
  );
}

function Payments({ tokenization: { _id, email } }: { tokenization: Tokenization }) {
  const t = useTranslations("tokenizations.detail");
  return (
    <Part
      title={t("payments")}
      of="payments"
      none={t("noPayments")}
      all={{ href: `/payments?email=${encodeURIComponent(email)}`, label: t("allPayments") }}
      query={useQuery(paymentsQueryOptions({ tokenization_id: _id }))}
      columns={paymentColumns}
    />
  );
}
