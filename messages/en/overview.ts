/** The overview: figures of the period, what needs attention, and the first steps. */
export default {
  period: "Period",
  lastDays: "Last {days} days",
  currency: "Currency",
  collectedEachDay: "Collected each day, {currency}",
  collectedEachWeek: "Collected each week, {currency}",
  latest: {
    title: "Latest payments",
    all: "All payments",
    loading: "Loading payments…",
    empty: "No payments yet.",
  },
  /** What needs attention; each count stops at 1000. */
  attention: {
    title: "Needs attention",
    openDisputes:
      "{count, plural, one {# dispute needs a response} =1000 {# or more disputes need a response} other {# disputes need a response}}",
    nextDeadline: "Next deadline:",
    openDisputesHelp: "Without an answer, the bank decides for the payer.",
    unknownPayments:
      "{count, plural, one {# payment with an unknown outcome} =1000 {# or more payments with an unknown outcome} other {# payments with an unknown outcome}}",
    unknownPaymentsHelp:
      "The gateway hasn’t answered. We keep checking. If this persists, check the gateway’s own dashboard.",
    failedFirstPayments:
      "{count, plural, one {# subscription whose first payment failed} =1000 {# or more subscriptions whose first payment failed} other {# subscriptions whose first payment failed}}",
    failedFirstPaymentsHelp:
      "A subscription starts with its first payment. We’ll retry. You can also request a new card.",
    pastDueSubscriptions:
      "{count, plural, one {# subscription past due} =1000 {# or more subscriptions past due} other {# subscriptions past due}}",
    pastDueSubscriptionsHelp: "A charge failed. We’ll retry. You can also request a new card.",
    unpaidSubscriptions:
      "{count, plural, one {# unpaid subscription} =1000 {# or more unpaid subscriptions} other {# unpaid subscriptions}}",
    unpaidSubscriptionsHelp: "All retries failed. Nothing is charged until the payer pays or saves another card.",
    failedRefunds:
      "{count, plural, one {# failed refund in 30 days} =1000 {# or more failed refunds in 30 days} other {# failed refunds in 30 days}}",
    failedRefundsHelp: "No money was returned. See the latest payment.",
    mismatchedPayments:
      "{count, plural, one {# payment was} =1000 {# or more payments were} other {# payments were}} taken after being recorded as failed",
    mismatchedPaymentsHelp: "Resolve each on its page. Until then, its link isn’t charged.",
    untoldPrices:
      "{count, plural, one {# customer was} =1000 {# or more customers were} other {# customers were}} not notified of a new price",
    untoldPricesHelp:
      "The e-mail couldn’t be sent, so they keep paying the old price. Correct their addresses. Then save the package again and apply the new price to existing subscriptions.",
    brokenAccounts: "Stripe refuses your account’s key",
    brokenAccountsHelp:
      "Payments, charges and refunds that Stripe refuses fail, and nothing is charged. Reconnect the account with a working key.",
    failingWebhooks: "{count, plural, one {# failing webhook endpoint} other {# failing webhook endpoints}}",
    failingWebhooksHelp:
      "Some events aren’t reaching your system. The endpoint’s page says why. A disabled endpoint stays disabled until you enable it.",
    unknownCharges:
      "{count, plural, one {# charge that Paydesk does not know} =1000 {# or more charges that Paydesk does not know} other {# charges that Paydesk does not know}}",
    differingBalances: "The balance at a gateway differs from your books",
    differingBalancesHelp: "The Payouts page lists each difference.",
    unknownChargesHelp:
      "The database was restored from a backup. The gateway took this money after the backup was made.",
  },
  unknownCharges: {
    title: "Charges that Paydesk does not know",
    subscription: "Open the subscription",
    paymentLink: "Open the payment link",
    problem: {
      period_not_open: "For a period that has not started. It becomes the period’s payment by itself.",
      link_processing: "Its payment link has another payment in progress. We keep trying.",
      link_unknown: "Its payment link was created after the backup.",
      link_deleted: "Its payment link is deleted.",
      link_paid: "Its payment link has another payment.",
      amount_differs: "Its payment link has another amount.",
    },
    acknowledge: "Acknowledge",
    form: "Acknowledge the charge of {amount}",
    about:
      "First refund it in the gateway’s dashboard, or book it elsewhere. After this, its payment link and its subscription can be charged again.",
    note: "What you did",
    done: "Charge acknowledged",
  },
  /** From a new business to its first paid link. */
  checklist: {
    title: "Your first payment",
    done: "{title}<hidden>: done</hidden>",
    business: "Register a business",
    businessText: "You’re in test mode: only test cards work, and no money moves.",
    link: "Create a payment link",
    linkText: "A page where one payer pays one amount.",
    createLink: "Create payment link",
    createLinkByOthers: "A teammate with write access can create it",
    open: "Open it as a payer",
    openText: "For example on a phone, with the QR code on the link’s page.",
    openLink: "Open “{title}”<hidden> in a new tab</hidden>",
    copyLink: "Copy the link of {title}",
    pay: "Pay it",
    payText:
      "Use the test card 4242 4242 4242 4242, any future date and any security code. It then shows here as paid.",
    titleLive: "Your first live payment",
    gateway: "Connect Stripe",
    gatewayText: "Live payments go to your own Stripe account.",
    connect: "Connect in settings",
    connectByOthers: "Ask an owner or admin to connect it.",
    payLive: "Get paid",
    payLiveText: "Pay with a real card: money moves. It then shows here as paid and can be refunded.",
  },
  /** The period's figures, each with its count and compared with the previous period. */
  figures: {
    collected: "Collected",
    payments: "{count, plural, one {# payment} other {# payments}}",
    paymentsWithFees: "{count, plural, one {# payment} other {# payments}}, {fees} fees",
    open: "Open",
    paymentLinks: "{count, plural, one {# payment link} other {# payment links}}",
    failed: "Failed",
    attempts: "{count, plural, one {# attempt} other {# attempts}}",
    refunded: "Refunded",
    refunds: "{count, plural, one {# refund} other {# refunds}}",
    recurring: "Monthly recurring revenue",
    subscriptions: "{count, plural, one {# subscription} other {# subscriptions}}",
    now: "Right now",
    counting: "Counting…",
    calculating: "Calculating…",
    activePaymentLinks: "Active payment links",
    activeSubscriptions: "Active subscriptions",
    asOf: "As of <time></time>",
    before: "vs {amount} in the previous {days} days",
    asBefore: "no change",
    nothingBefore: "nothing in the previous period",
    more: "+{percent, number}%",
    less: "−{percent, number}%",
  },
  chart: {
    summary: "Chart. {total} in {count, number} bars. Highest: {most} on {day}.",
    summaryEmpty: "Chart. Nothing was collected in this period.",
    bar: "{day}: {collected}",
    barRefunded: "{day}: {collected}, {refunded} refunded",
    when: "When",
    collected: "Collected",
    refunded: "Refunded",
    showTable: "Show as table",
    caption: "Collected and refunded, days with neither left out",
  },
  /** What subscriptions will charge. */
  forecast: {
    title: "Subscriptions: next 90 days",
    caption: "What subscriptions will charge, by month",
    month: "Month",
    charges: "Charges",
    amount: "Amount",
    together: "Total",
    calculating: "Calculating… With many subscriptions this takes about a minute.",
    asOf: "As of <time></time>",
  },
  /** Cards that will have expired, or are missing, when a charge is due; at most 100. */
  atRisk: {
    title: "{count, plural, =0 {Cards at risk} =100 {Cards at risk (# or more)} other {Cards at risk (#)}}",
    empty: "No cards at risk.",
    expires: "{card} expires {expiry}, next charge <when></when>",
    noCard: "No saved card, next charge <when></when>",
    more: "And {count, number} more, later.",
  },
} as const;
