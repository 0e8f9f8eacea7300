import type { Payment } from "./contract";

/** Whether the gateway took a payment that staff had recorded as failed, and staff have not resolved that. In SQL: `openMismatch`. */
export const isOpenMismatch = (payment: Pick<Payment, "mismatch_at" | "mismatch_resolved_at">): boolean =>
  payment.mismatch_at !== null && payment.mismatch_resolved_at === null;
