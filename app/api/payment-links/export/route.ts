import { handle, methods } from "@/lib/api/handle";
import { paymentLinkCsvEndpoints as endpoints } from "@/lib/payment-links/csv-contract";
import { exportPaymentLinks } from "@/lib/payment-links/export";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.export, async ({ actor, query }) => exportPaymentLinks(actor, query)),
);
