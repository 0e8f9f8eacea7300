/** The first page: what came in, what is open, what went wrong, and what to do next. */
export default {
  period: "Period",
  lastDays: "Last {days} days",
  currency: "Currency",
  collectedEachDay: "Collected each day, {currency}",
  collectedEachWeek: "Collected each week, {currency}",
  latest: {
    title: "Latest payments",
    all: "All payments",
    loading: "Loading the payments …",
    empty: "Nobody has paid yet.",
  },
  /** What needs a person; each is counted to 1000 at most. */
  attention: {
    title: "Needs a person",
    unknownPayments:
      "{count, plural, one {# payment with an unknown outcome} =1000 {# or more payments with an unknown outcome} other {# payments with an unknown outcome}}",
    unknownPaymentsHelp:
      "The gateway has not answered. It is being asked; if it lasts, look into the gateway’s own dashboard.",
    pastDueSubscriptions:
      "{count, plural, one {# subscription past due} =1000 {# or more subscriptions past due} other {# subscriptions past due}}",
    pastDueSubscriptionsHelp: "A charge has failed. It is tried again; asking the payer for another card helps.",
    unpaidSubscriptions:
      "{count, plural, one {# unpaid subscription} =1000 {# or more unpaid subscriptions} other {# unpaid subscriptions}}",
    unpaidSubscriptionsHelp:
      "The last try has failed: nothing more is charged until the payer pays or saves another card.",
    failedRefunds:
      "{count, plural, one {# failed refund in 30 days} =1000 {# or more failed refunds in 30 days} other {# failed refunds in 30 days}}",
    failedRefundsHelp: "The money is still here. The newest one’s payment says why.",
    failingWebhooks: "{count, plural, one {# failing webhook endpoint} other {# failing webhook endpoints}}",
    failingWebhooksHelp:
      "Your system does not hear of everything. The endpoint’s page says why; one that was disabled stays so until somebody enables it.",
  },
  /** From a new business to its first paid link. */
  checklist: {
    title: "Your first payment",
    done: "{title}<hidden>: done</hidden>",
    business: "You have a business",
    businessText: "Everything here is in test mode: only test cards work, and no money moves.",
    link: "Create a payment link",
    linkText: "A page where one payer pays one amount.",
    createLink: "Create one",
    createLinkByOthers: "Somebody who may write creates it",
    open: "Open it as your payer would",
    openText: "On a phone, for example: its QR code stands on the link’s page.",
    openLink: "Open “{title}”<hidden> in a new tab</hidden>",
    copyLink: "Copy the link of {title}",
    pay: "Pay it",
    payText:
      "With the test card 4242 4242 4242 4242, any date to come and any security code. It then stands here as paid.",
    titleLive: "Your first live payment",
    gateway: "Connect Stripe",
    gatewayText: "Live payments go to your own Stripe account.",
    connect: "Connect it in the settings",
    connectByOthers: "Ask an owner or admin to connect it.",
    payLive: "Have it paid",
    payLiveText: "With a real card: the money moves. It then stands here as paid, and can be refunded.",
  },
  /** The period's figures, each with how many it is made of and against the period before. */
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
    recurring: "Recurring, a month",
    subscriptions: "{count, plural, one {# subscription} other {# subscriptions}}",
    now: "As of now",
    before: "{amount} in the {days} days before",
    asBefore: "no change",
    nothingBefore: "nothing before",
    more: "+{percent, number} %",
    less: "−{percent, number} %",
  },
  chart: {
    summary: "Chart. {total} in {count, number} bars; the most, {most}, on {day}.",
    summaryEmpty: "Chart. Nothing was collected in this period.",
    bar: "{day}: {collected}",
    barRefunded: "{day}: {collected}, {refunded} refunded",
    when: "When",
    collected: "Collected",
    refunded: "Refunded",
    showTable: "Show the figures as a table",
    caption: "Collected and refunded, without the times that had neither",
  },
  /** What subscriptions will charge. */
  forecast: {
    title: "The next 90 days of subscriptions",
    caption: "What subscriptions will charge, by month",
    month: "Month",
    charges: "Charges",
    amount: "Amount",
    together: "Together",
  },
  /** The cards that will not do for the charges to come; at most 100. */
  atRisk: {
    title: "{count, plural, =0 {Cards at risk} =100 {Cards at risk (# or more)} other {Cards at risk (#)}}",
    empty: "Every charge to come will find a card that is still good.",
    expires: "{card} expires {expiry}, charged <when></when>",
    noCard: "No card saved, charged <when></when>",
    more: "And {count, number} more, later.",
  },
} as const;
