import { PayerHeading, PayerName } from "@/components/customers/payer-name";
import type { Column } from "@/components/ui/list/columns";
import { Moment } from "@/components/ui/moment";
import { When } from "@/components/ui/when";
import type { Tokenization } from "@/lib/resources/tokenizations/contract";
import { TokenizationActions } from "./tokenization-actions";
import { cardExpiry, cardName, TokenizationBadge } from "./words";

export const tokenizationColumns: Column<Tokenization>[] = [
  {
    key: "email",
    label: (t) => t("tokenizations.list.email"),
    cell: ({ email }) => <PayerName email={email} />,
    title: ({ email }) => email,
    cardCell: ({ email }) => <PayerHeading email={email} />,
    href: ({ _id }) => `/tokenizations/${_id}`,
    table: "heading",
    card: "heading",
  },
  {
    key: "title",
    label: (t) => t("tokenizations.form.cardTitle"),
    cell: ({ title }) => title,
    title: ({ title }) => title,
    table: "below",
    card: "meta",
  },
  {
    key: "card",
    label: (t) => t("tokenizations.list.card"),
    cell: ({ card, status, expires_at }, t) =>
      card ? (
        <span className={status === "revoked" ? "text-kumo-subtle line-through decoration-kumo-line" : ""}>
          {cardName(card, t)} <span className="text-kumo-subtle tabular-nums">{cardExpiry(card)}</span>
        </span>
      ) : (
        <span className="text-kumo-subtle">
          {status === "expired"
            ? t("tokenizations.card.notSavedInTime")
            : t.rich("tokenizations.card.toBeSavedBy", { when: () => <Moment at={expires_at} time /> })}
        </span>
      ),
    width: 15.5,
    card: "line",
  },
  {
    key: "status",
    label: (t) => t("tokenizations.list.status"),
    width: 8.75,
    cell: (row) => <TokenizationBadge tokenization={row} />,
    card: "foot",
  },
  {
    key: "created_at",
    label: (t) => t("tokenizations.list.created"),
    width: 8,
    look: "text-kumo-subtle",
    cell: ({ created_at }) => <When at={created_at} />,
    card: "end",
  },
  {
    key: "actions",
    label: (t) => t("shell.list.actions"),
    width: 8,
    cell: (row) => <TokenizationActions row={row} />,
  },
];
