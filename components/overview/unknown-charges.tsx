import { useRef } from "react";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import { linkClass, Panel } from "@/components/ui/detail";
import { useDialogs } from "@/components/ui/dialogs";
import { Field, TextArea } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { useToasts } from "@/components/ui/toasts";
import { When } from "@/components/ui/when";
import { formatMoney } from "@/lib/core/money";
import { type UnknownCharge, unknownChargeEndpoints } from "@/lib/resources/unknown-charges/contract";
import { useAcknowledge, useOpenCharges } from "@/lib/resources/unknown-charges/queries";

/** Charges of the gateway that a restored database does not know and that staff have to look at. */
export function UnknownCharges() {
  const t = useTranslations("overview.unknownCharges");
  const charges = useOpenCharges().data?.rows ?? [];
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
  const acknowledge = useAcknowledgeQuestion(charge);
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
        <Button variant="secondary" onClick={acknowledge}>
          {t("acknowledge")}
        </Button>
      )}
    </li>
  );
}

function useAcknowledgeQuestion({ _id, amount_cents, currency }: UnknownCharge): () => void {
  const t = useTranslations("overview.unknownCharges");
  const { confirm } = useDialogs();
  const acknowledge = useAcknowledge();
  const toasts = useToasts();
  const note = useRef("");
  const amount = formatMoney(amount_cents, currency);

  return () => {
    note.current = "";
    void confirm({
      title: t("ask", { amount }),
      body: (
        <>
          <p>{t("askText")}</p>
          <Field label={t("note")}>
            {(control) => (
              <TextArea
                {...control}
                maxLength={255}
                onChange={({ target }) => {
                  note.current = target.value;
                }}
              />
            )}
          </Field>
        </>
      ),
      action: t("acknowledge"),
      run: async () => {
        if (note.current.trim() === "") return "retry";
        const done = { done: t("done"), failed: t("failed") };
        return toasts.report(acknowledge.mutateAsync({ id: _id, note: note.current }), done);
      },
    });
  };
}
