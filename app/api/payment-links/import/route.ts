import { handle, methods } from "@/lib/api/handle";
import { paymentLinkCsvEndpoints as endpoints } from "@/lib/payment-links/csv-contract";
import { importPaymentLinks } from "@/lib/payment-links/import";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.import, ({ actor, body, tx }) => importPaymentLinks(tx, actor, body)),
);
