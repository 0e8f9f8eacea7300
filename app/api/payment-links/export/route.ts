import { handle, methods } from "@/lib/http/handle";
import { paymentLinkCsvEndpoints as endpoints } from "@/lib/resources/payment-links/csv-contract";
import { exportPaymentLinks } from "@/lib/resources/payment-links/export";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.export, async ({ actor, query }) => exportPaymentLinks(actor, query)),
);
