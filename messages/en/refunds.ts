/** The list of refunds. Their states and reasons are in payments.ts. */
export default {
  list: {
    caption: {
      "-created_at": "Refunds, newest first",
      created_at: "Refunds, oldest first",
    },
    payment: "Payment link",
    payer: "Payer",
    amount: "Amount",
    status: "Status",
    reason: "Reason",
    when: "Created",
    emptyTitle: "No refunds yet",
    empty: "A refund of a payment appears here with its status and reason. Refund a payment from its page.",
    toPayments: "Go to payments",
  },
  filters: {
    unresolved: "Needs attention",
    notAgain: "Failed in the last 30 days, not refunded again",
    currency: "Currency",
    amountFrom: "Amount from",
    amountTo: "Amount to",
    from: "Created from",
    to: "Created to",
    settledFrom: "Settled from",
    settledTo: "Settled to",
  },
  criterion: {
    status: "the status {status}",
    unresolved: "a failure in the last 30 days that wasn’t refunded again",
    currency: "the currency {currency}",
    amount: "this amount",
    created: "this creation date",
    settled: "this date of settlement",
  },
} as const;
