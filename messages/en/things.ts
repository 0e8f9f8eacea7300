/** Loading, failure and empty texts of each list and each resource. */
export default {
  lists: {
    apiKeys: {
      loading: "Loading keys",
      failed: "The keys could not be loaded.",
      shown: "{count, plural, one {# key shown} other {# keys shown}}",
      noneMatches: "No key has {criteria}.",
    },
    auditLog: {
      loading: "Loading entries",
      failed: "The entries could not be loaded.",
      shown: "{count, plural, one {# entry shown} other {# entries shown}}",
      noneMatches: "No entry has {criteria}.",
    },
    customers: {
      loading: "Loading customers",
      failed: "The customers could not be loaded.",
      shown: "{count, plural, one {# customer shown} other {# customers shown}}",
      noneMatches: "No customer has {criteria}.",
    },
    deliveries: {
      loading: "Loading deliveries",
      failed: "The deliveries could not be loaded.",
      shown: "{count, plural, one {# delivery shown} other {# deliveries shown}}",
      noneMatches: "No delivery has {criteria}.",
    },
    disputes: {
      loading: "Loading disputes",
      failed: "The disputes could not be loaded.",
      shown: "{count, plural, one {# dispute shown} other {# disputes shown}}",
      noneMatches: "No dispute has {criteria}.",
    },
    emails: {
      loading: "Loading e-mails",
      failed: "The e-mails could not be loaded.",
      shown: "{count, plural, one {# e-mail shown} other {# e-mails shown}}",
      noneMatches: "No e-mail has {criteria}.",
    },
    endpoints: {
      loading: "Loading endpoints",
      failed: "The endpoints could not be loaded.",
      shown: "{count, plural, one {# endpoint shown} other {# endpoints shown}}",
      noneMatches: "No endpoint has {criteria}.",
    },
    events: {
      loading: "Loading events",
      failed: "The events could not be loaded.",
      shown: "{count, plural, one {# event shown} other {# events shown}}",
      noneMatches: "No event has {criteria}.",
    },
    packages: {
      loading: "Loading packages",
      failed: "The packages could not be loaded.",
      shown: "{count, plural, one {# package shown} other {# packages shown}}",
      noneMatches: "No package has {criteria}.",
    },
    paymentLinks: {
      loading: "Loading payment links",
      failed: "The payment links could not be loaded.",
      shown: "{count, plural, one {# payment link shown} other {# payment links shown}}",
      noneMatches: "No payment link has {criteria}.",
    },
    payments: {
      loading: "Loading payments",
      failed: "The payments could not be loaded.",
      shown: "{count, plural, one {# payment shown} other {# payments shown}}",
      noneMatches: "No payment has {criteria}.",
    },
    payoutEntries: {
      loading: "Loading entries",
      failed: "The entries could not be loaded.",
      shown: "{count, plural, one {# entry shown} other {# entries shown}}",
      noneMatches: "No entry has {criteria}.",
    },
    payouts: {
      loading: "Loading payouts",
      failed: "The payouts could not be loaded.",
      shown: "{count, plural, one {# payout shown} other {# payouts shown}}",
      noneMatches: "No payout has {criteria}.",
    },
    refunds: {
      loading: "Loading refunds",
      failed: "The refunds could not be loaded.",
      shown: "{count, plural, one {# refund shown} other {# refunds shown}}",
      noneMatches: "No refund has {criteria}.",
    },
    requests: {
      loading: "Loading requests",
      failed: "The requests could not be loaded.",
      shown: "{count, plural, one {# request shown} other {# requests shown}}",
      noneMatches: "No request has {criteria}.",
    },
    subscriptions: {
      loading: "Loading subscriptions",
      failed: "The subscriptions could not be loaded.",
      shown: "{count, plural, one {# subscription shown} other {# subscriptions shown}}",
      noneMatches: "No subscription has {criteria}.",
    },
    tokenizations: {
      loading: "Loading tokenizations",
      failed: "The tokenizations could not be loaded.",
      shown: "{count, plural, one {# tokenization shown} other {# tokenizations shown}}",
      noneMatches: "No tokenization has {criteria}.",
    },
  },
  single: {
    apiKey: {
      loading: "Loading the API key",
      failed: "The API key could not be loaded.",
    },
    account: {
      loading: "Loading your account",
      failed: "Your account could not be loaded.",
    },
    notificationSettings: {
      loading: "Loading your notification settings",
      failed: "Your notification settings could not be loaded.",
    },
    businesses: {
      loading: "Loading your businesses",
      failed: "Your businesses could not be loaded.",
    },
    problems: {
      loading: "Loading the problems",
      failed: "The problems could not be loaded.",
    },
    customer: {
      loading: "Loading the customer",
      failed: "The customer could not be loaded.",
    },
    delivery: {
      loading: "Loading the delivery",
      failed: "The delivery could not be loaded.",
    },
    dispute: {
      loading: "Loading the dispute",
      failed: "The dispute could not be loaded.",
    },
    email: {
      loading: "Loading the e-mail",
      failed: "The e-mail could not be loaded.",
    },
    endpoint: {
      loading: "Loading the endpoint",
      failed: "The endpoint could not be loaded.",
    },
    event: {
      loading: "Loading the event",
      failed: "The event could not be loaded.",
    },
    forecast: {
      loading: "Loading the forecast",
      failed: "The forecast could not be loaded.",
    },
    rates: {
      loading: "Loading the rates",
      failed: "The rates could not be loaded.",
    },
    gateway: {
      loading: "Loading the gateway",
      failed: "The gateway could not be loaded.",
    },
    invitations: {
      loading: "Loading the invitations",
      failed: "The invitations could not be loaded.",
    },
    members: {
      loading: "Loading the members",
      failed: "The members could not be loaded.",
    },
    overview: {
      loading: "Loading the overview",
      failed: "The overview could not be loaded.",
    },
    package: {
      loading: "Loading the package",
      failed: "The package could not be loaded.",
    },
    payment: {
      loading: "Loading the payment",
      failed: "The payment could not be loaded.",
    },
    paymentLink: {
      loading: "Loading the payment link",
      failed: "The payment link could not be loaded.",
    },
    balance: {
      loading: "Loading the balance",
      failed: "The balance could not be loaded.",
    },
    payout: {
      loading: "Loading the payout",
      failed: "The payout could not be loaded.",
    },
    refunds: {
      loading: "Loading the refunds",
      failed: "The refunds could not be loaded.",
    },
    request: {
      loading: "Loading the request",
      failed: "The request could not be loaded.",
    },
    passkeys: {
      loading: "Loading the passkeys",
      failed: "The passkeys could not be loaded.",
    },
    sessions: {
      loading: "Loading the sessions",
      failed: "The sessions could not be loaded.",
    },
    settings: {
      loading: "Loading the settings",
      failed: "The settings could not be loaded.",
    },
    subscription: {
      loading: "Loading the subscription",
      failed: "The subscription could not be loaded.",
    },
    unknownCharges: {
      loading: "Loading the charges that Paydesk does not know",
      failed: "The charges that Paydesk does not know could not be loaded.",
    },
    funnel: {
      loading: "Loading the progress",
      failed: "The progress could not be loaded.",
    },
    timeline: {
      loading: "Loading the timeline",
      failed: "The timeline could not be loaded.",
    },
    tokenization: {
      loading: "Loading the tokenization",
      failed: "The tokenization could not be loaded.",
    },
  },
  gone: {
    apiKey: { title: "This API key does not exist", back: "Go to API keys" },
    customer: { title: "This customer does not exist", back: "Go to customers" },
    dispute: { title: "This dispute does not exist", back: "Go to disputes" },
    email: { title: "This e-mail does not exist", back: "Go to e-mails" },
    endpoint: { title: "This endpoint does not exist", back: "Go to webhooks" },
    event: { title: "This event does not exist", back: "Go to events" },
    package: { title: "This package does not exist", back: "Go to packages" },
    payment: { title: "This payment does not exist", back: "Go to payments" },
    paymentLink: { title: "This payment link does not exist", back: "Go to payment links" },
    payout: { title: "This payout does not exist", back: "Go to payouts" },
    request: { title: "This request does not exist", back: "Go to requests" },
    subscription: { title: "This subscription does not exist", back: "Go to subscriptions" },
    tokenization: { title: "This tokenization does not exist", back: "Go to tokenizations" },
  },
} as const;
