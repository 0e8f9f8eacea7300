import { handle, methods } from "@/lib/http/handle";
import { exportReport } from "@/lib/resources/reports/export";
import { exportEndpoints as endpoints } from "@/lib/resources/reports/export-contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.export, async ({ actor, query }) => exportReport(actor, query)),
);
