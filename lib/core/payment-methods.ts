/** How money came that no gateway took (`payment.method`), as payers and staff read it. */
export const methodNames = {
  transfer: "Bank transfer",
  cash: "Cash",
  cheque: "Cheque",
  other: "Other",
} as const;

export type ManualMethod = keyof typeof methodNames;
