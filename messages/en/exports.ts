/** Files for the accountant. */
export default {
  lead: "Each file has the days of the period, in the time zone {zone}. Payouts are imported up to a day late: export a month once the next one is two days old.",
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
    refunds: { name: "Refunds", text: "Refunds, and refunds that came back." },
    disputes: { name: "Disputes", text: "What banks took because of disputes, and what came back." },
    fees: { name: "Fees", text: "What gateways kept." },
    payouts: { name: "Payouts", text: "Transfers to your bank, and those that came back." },
  },
} as const;
