"use client";

import { WarningCircleIcon } from "@phosphor-icons/react/dist/ssr/WarningCircle";
import Link from "next/link";
import { linkLook, Panel } from "@/components/shell/detail";
import type { Overview } from "@/lib/reports/contract";
import { useFailedRefunds } from "@/lib/reports/queries";

const count = (number: number, one: string, many: string): string =>
  number === 1 ? `1 ${one}` : `${number >= 1000 ? "1,000 or more" : number} ${many}`;

/** What does not mend itself; not there when there is nothing. */
export function Attention({ attention }: { attention: Overview["attention"] }) {
  const { unknown_payments, past_due_subscriptions, unpaid_subscriptions, failed_refunds } = attention;
  const refunds = useFailedRefunds(failed_refunds > 0);
  const refunded = refunds.data?.rows[0];
  const entries = [
    {
      number: unknown_payments,
      href: "/payments?status=unknown",
      title: count(unknown_payments, "payment with an unknown outcome", "payments with an unknown outcome"),
      text: "The gateway has not answered. It is being asked; if it lasts, look into the gateway’s own dashboard.",
    },
    {
      number: past_due_subscriptions,
      href: "/subscriptions?status=past_due",
      title: count(past_due_subscriptions, "past-due subscription", "past-due subscriptions"),
      text: "A charge has failed. It is tried again; asking the payer for another card helps.",
    },
    {
      number: unpaid_subscriptions,
      href: "/subscriptions?status=unpaid",
      title: count(unpaid_subscriptions, "unpaid subscription", "unpaid subscriptions"),
      text: "The last try has failed: nothing more is charged until the payer pays or saves another card.",
    },
    {
      number: failed_refunds,
      href: refunded ? `/payments/${refunded.payment_id}` : "/payments?status=succeeded",
      title: count(failed_refunds, "failed refund in 30 days", "failed refunds in 30 days"),
      text: "The money is still here. The newest one’s payment says why.",
    },
  ].filter(({ number }) => number > 0);
  if (entries.length === 0) return null;
  return (
    <Panel title="Needs a person">
      <ul>
        {entries.map(({ href, title, text }) => (
          <li key={title} className="flex gap-3 border-b border-kumo-hairline px-4 py-3 last:border-0">
            <WarningCircleIcon size={20} weight="fill" className="mt-px shrink-0 text-(--ink-warning)" aria-hidden />
            <div className="min-w-0">
              <Link href={href} className={`text-base font-medium text-kumo-strong ${linkLook}`}>
                {title}
              </Link>
              <p className="text-sm text-kumo-subtle">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
