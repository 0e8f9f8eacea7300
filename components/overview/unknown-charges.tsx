import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import { linkClass, Panel } from "@/components/ui/detail";
import { useDialogs } from "@/components/ui/dialogs";
import { Link } from "@/components/ui/link";
import { LoadFailure } from "@/components/ui/list/list-frame";
import { onDemand } from "@/components/ui/on-demand";
import { useHydrated } from "@/components/ui/use-hydrated";
import { When } from "@/components/ui/when";
import { formatMoney } from "@/lib/core/money";
import { type UnknownCharge, unknownChargeEndpoints } from "@/lib/resources/unknown-charges/contract";
import { openChargesQueryOptions } from "@/lib/resources/unknown-charges/queries";

const AcknowledgeForm = onDemand(() => import("./acknowledge-form").then(({ AcknowledgeForm }) => AcknowledgeForm));

/** Open unknown charges, which staff have to acknowledge. */
export function UnknownCharges() {
  const t = useTranslations("overview.unknownCharges");
  const query = useQuery(openChargesQueryOptions());
  if (query.isError && !query.data) return <LoadFailure of="single.unknownCharges" query={query} />;
  const charges = query.data?.rows ?? [];
  if (charges.length === 0) return null;
  return (
    <section id="unknown-charges" className="scroll-mt-4">
      <Panel title={t("title")}>
        <ul>
          {charges.map((charge) => (
            <Row key={charge._id} charge={charge} />
          ))}
        </ul>
      </Panel>
    </section>
  );
}

function Row({ charge }: { charge: UnknownCharge }) {
  const t = useTranslations("overview.unknownCharges");
  const may = useMay();
  const { openSheet } = useDialogs();
  const hydrated = useHydrated();
  const { amount_cents, currency, charged_at, gateway_ref, problem, payment_link_id, subscription_id } = charge;
  const target =
    problem === "link_unknown"
      ? null
      : subscription_id
        ? { href: `/subscriptions/${subscription_id}`, text: t("subscription") }
        : { href: `/payment-links/${payment_link_id}`, text: t("paymentLink") };
  return (
    <li className="flex flex-wrap items-start justify-between gap-3 border-b border-kumo-hairline px-4 py-3 last:border-0">
      <div className="min-w-0">
        <p className="text-base text-kumo-strong">
          <span className="font-medium">{formatMoney(amount_cents, currency)}</span> · <When at={charged_at} />
        </p>
        <p className="text-sm text-kumo-subtle">
          {problem && t(`problem.${problem}`)}{" "}
          {target && (
            <Link href={target.href} className={linkClass}>
              {target.text}
            </Link>
          )}
        </p>
        <code className="text-sm break-all text-kumo-subtle">{gateway_ref}</code>
      </div>
      {may(unknownChargeEndpoints.acknowledge) && (
        <Button
          variant="secondary"
          // The row comes with the HTML: a press before its script is there would be lost.
          disabled={!hydrated}
          onClick={() =>
            openSheet({
              title: t("form", { amount: formatMoney(amount_cents, currency) }),
              content: (close) => <AcknowledgeForm charge={charge} onDone={close} />,
            })
          }
        >
          {t("acknowledge")}
        </Button>
      )}
    </li>
  );
}
