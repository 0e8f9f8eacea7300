import { useFormatter, useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { useToday } from "@/components/shell/use-today";
import { BulkDialog } from "@/components/ui/bulk-dialog";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import { formatMoney } from "@/lib/core/money";
import { useReadCustomerName } from "@/lib/resources/customers/queries";
import { paymentLinkEndpoints as endpoints, type PaymentLink } from "@/lib/resources/payment-links/contract";
import { usePaymentLinkBulk } from "@/lib/resources/payment-links/queries";
import { exportRows } from "./export-rows";
import { isFixed, isOnlyKept } from "./link-questions";

const actions = ["send", "deactivate", "activate", "remove"] as const;
type BulkAction = (typeof actions)[number];

const isActive = ({ status }: PaymentLink): boolean => status === "Active";
/** Waiving or reopening a subscription's period may charge a card, so each is asked about by itself. */
const isPeriod = ({ subscription_id }: PaymentLink): boolean => subscription_id !== null;

const reasons = {
  inactive: (link: PaymentLink) => !isActive(link),
  notInactive: ({ status }: PaymentLink) => status !== "Inactive",
  fixed: isFixed,
  period: isPeriod,
};
type Reason = keyof typeof reasons;
const leavesOut: Record<BulkAction, Reason[]> = {
  send: ["inactive"],
  deactivate: ["inactive", "period"],
  activate: ["notInactive", "period"],
  remove: ["fixed", "period"],
};

/** Why an action leaves out a link: the first reason. Undefined if it does not. */
const reasonOf = (action: BulkAction, link: PaymentLink): Reason | undefined =>
  leavesOut[action].find((reason) => reasons[reason](link));

function sumsOf(links: readonly PaymentLink[]): string[] {
  const cents = new Map<string, number>();
  for (const { currency, amount_cents } of links) cents.set(currency, (cents.get(currency) ?? 0) + amount_cents);
  return [...cents].map(([currency, sum]) => formatMoney(sum, currency));
}

interface LinkBulkProps {
  links: PaymentLink[];
  onDone: () => void;
}

/** The actions on the selected payment links. */
export function LinkBulk({ links, onDone }: LinkBulkProps) {
  const t = useTranslations("paymentLinks.bulk");
  const format = useFormatter();
  const may = useMay();
  const { openDialog } = useDialogs();
  const nameOf = useReadCustomerName();
  const today = useToday();
  const { run, invalidate } = usePaymentLinkBulk();

  function ask(action: BulkAction): void {
    const rows = links.filter((link) => !reasonOf(action, link));
    openDialog(
      <BulkDialog
        title={t(`${action}.title`, { count: rows.length })}
        body={
          <>
            <p>{t(`${action}.text`, { count: rows.length, sums: format.list(sumsOf(rows)) })}</p>
            {leavesOut[action].map((reason) => {
              const count = links.filter((link) => reasonOf(action, link) === reason).length;
              return count > 0 && <p key={reason}>{t(`leftOut.${reason}`, { count })}</p>;
            })}
          </>
        }
        action={t(`${action}.action`)}
        destructive={action === "remove"}
        rows={rows}
        nameOf={({ title }) => title}
        run={({ _id }, idempotencyKey) => run({ id: _id, action, idempotencyKey })}
        done={(count) => t(isOnlyKept(action) ? "send.kept" : `${action}.done`, { count })}
        onFinished={() => {
          onDone();
          void invalidate();
        }}
      />,
    );
  }

  return (
    <>
      {actions.map(
        (action) =>
          may(endpoints[action]) && (
            <Button
              key={action}
              variant="secondary"
              disabled={links.every((link) => reasonOf(action, link))}
              onClick={() => ask(action)}
            >
              {t(`${action}.action`)}
            </Button>
          ),
      )}
      <Button variant="secondary" onClick={() => void exportRows(links, nameOf, today)}>
        {t("export")}
      </Button>
    </>
  );
}
