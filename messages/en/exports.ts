/** Files for the accountant. */
export default {
  lead: "Days are in the time zone {zone}. Payouts can be imported up to a day late, so export a month on the 2nd of the next month or later.",
  period: "Period",
  periods: {
    thisMonth: "This month",
    lastMonth: "Last month",
    thisQuarter: "This quarter",
    lastQuarter: "Last quarter",
    thisYear: "This year",
    lastYear: "Last year",
    custom: "Custom",
  },
  from: "First day",
  to: "Last day",
  wrongOrder: "The last day must not be before the first.",
  files: "Files",
  download: "Download",
  downloadOf: "Download {file} as CSV",
  failed: "The file could not be exported",
  file: {
    journal: { name: "Journal", text: "Double entry: one row for each posting, with its debit and credit." },
    payments: { name: "Payments", text: "Each payment with its fee, net and payout." },
    refunds: { name: "Refunds", text: "Refunds, and refunds that the payer’s bank returned." },
    disputes: { name: "Disputes", text: "Money that banks took back in disputes, and money that they returned." },
    fees: { name: "Fees", text: "Fees that the gateways kept." },
    payouts: { name: "Payouts", text: "Transfers to your bank, and transfers that it returned." },
  },
} as const;
