/** Methods of manual payments (`payment.method`), as payers and staff read them. */
export const methodNames = {
  transfer: "Bank transfer",
  cash: "Cash",
  cheque: "Cheque",
  other: "Other",
} as const;

export type ManualMethod = keyof typeof methodNames;
