import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { useListAddress } from "@/components/shell/use-list-address";
import { useSheetWhile } from "@/components/ui/dialogs";
import { List } from "@/components/ui/list/list";
import { onDemand } from "@/components/ui/on-demand";
import { type WebhookEndpoint, webhookDeliveryEndpoints } from "@/lib/resources/webhook-endpoints/contract";
import { deliveriesQueryOptions } from "@/lib/resources/webhook-endpoints/queries";
import { deliveryColumns } from "./columns";
import { deliveryFilters } from "./filters";

const DeliveryDetail = onDemand(() => import("./delivery-detail").then(({ DeliveryDetail }) => DeliveryDetail));
const DeliveryBulk = onDemand(() => import("./delivery-bulk").then(({ DeliveryBulk }) => DeliveryBulk));

export function Deliveries({ endpoint }: { endpoint: WebhookEndpoint }) {
  const t = useTranslations("webhooks.deliveries");
  const may = useMay();
  const address = useListAddress(deliveryFilters);
  const { delivery: open, ...filter } = address.filter;
  useSheetWhile(open !== undefined, {
    isForm: false,
    title: t("delivery"),
    content: () => open && <DeliveryDetail id={open} leadsTo="event" enabled={endpoint.status === "enabled"} />,
    onClosed: () => address.show(filter, "replace"),
  });
  return (
    <section className="grid grid-cols-1 gap-3" aria-labelledby="deliveries">
      <h2 id="deliveries" className="text-[15px] font-semibold text-kumo-strong">
        {t("title")}
      </h2>
      <div>
        <List
          of="deliveries"
          query={useQuery(deliveriesQueryOptions(endpoint._id, address.query))}
          address={address}
          filters={deliveryFilters}
          columns={deliveryColumns}
          caption={t("list")}
          level="h3"
          bulk={
            endpoint.status === "enabled" && may(webhookDeliveryEndpoints.redeliver)
              ? (deliveries, clear) => <DeliveryBulk deliveries={deliveries} onDone={clear} />
              : undefined
          }
          onOpen={({ _id }) => address.show({ ...filter, delivery: _id }, "replace")}
          empty={{ title: t("empty"), text: t("emptyText") }}
        />
      </div>
    </section>
  );
}
