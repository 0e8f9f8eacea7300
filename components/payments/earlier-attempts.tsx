import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { Part } from "@/components/ui/detail-part";
import type { PaymentOfLink } from "@/lib/resources/payments/contract";
import { paymentsQueryOptions } from "@/lib/resources/payments/queries";
import { paymentColumns } from "./columns";

/** The earlier attempts to pay the same link; renders nothing without any. */
export function EarlierAttempts({ payment: { _id, payment_link_id, created_at } }: { payment: PaymentOfLink }) {
  const t = useTranslations("payments");
  const query = { payment_link_id, created_to: created_at, per_page: "10" };
  const attempts = useQuery({
    ...paymentsQueryOptions(query),
    select: ({ rows, page }) => ({ rows: rows.filter((attempt) => attempt._id !== _id), page }),
  });
  if (!attempts.data || attempts.data.rows.length === 0) return null;
  return (
    <Part
      title={t("detail.earlier")}
      of="payments"
      none=""
      caption={t("list.caption.-created_at")}
      query={attempts}
      columns={paymentColumns}
      all={{ href: `/payment-links/${payment_link_id}`, label: t("detail.allAttempts") }}
    />
  );
}
