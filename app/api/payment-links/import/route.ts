import { handle, methods } from "@/lib/http/handle";
import { paymentLinkCsvEndpoints as endpoints } from "@/lib/resources/payment-links/csv-contract";
import { importPaymentLinks } from "@/lib/resources/payment-links/import";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.import, ({ actor, body, tx }) => importPaymentLinks(tx, actor, body)),
);
