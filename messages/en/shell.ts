/** The frame around every page, and texts shared by all lists. */
export default {
  frame: {
    skip: "Skip to content",
    main: "Main",
    /** For screen readers, after a click in the menu. */
    coming: "Loading {page}",
    noMoney: "No money moves<more>: only test cards work</more>.",
  },
  /** In live mode, until a gateway account is connected. */
  noGateway: {
    text: "Live links can’t be paid yet: no payment gateway is connected.",
    connect: "Connect Stripe",
    ask: "Ask an owner or admin to connect Stripe.",
  },
  /** Until the person has confirmed their e-mail address. */
  verifyEmail: {
    text: "Confirm your e-mail address: we sent a link to <email></email>. Until then you can’t invite teammates, connect a gateway or change anything in live mode.",
    resend: "Resend e-mail",
    sent: "Sent to {email}",
    failed: "The e-mail wasn’t sent",
  },
  userMenu: {
    label: "Account of {name}",
    appearance: "Appearance",
    theme: { system: "System", light: "Light", dark: "Dark" },
    language: "Language",
    account: "Your account",
    signOut: "Sign out",
    stillSignedIn: "You are still signed in",
    signOutFailed: "Sign-out failed. Try again.",
  },
  modeSwitch: { mode: "Mode", test: "Test", live: "Live" },
  businessSwitcher: { label: "Business: {name}", failed: "Something went wrong", create: "New business" },
  createBusiness: {
    title: "New business",
    create: "Create business",
    text: "You’ll be its owner, and this page switches to it. It has its own team, keys, links and settings, and starts in test mode.",
    name: "Name",
    nameHint: "As payers see it.",
    currency: "Currency",
    timeZone: "Time zone",
    timeZoneHint: "Decides when a subscription’s day begins.",
  },
  nav: {
    developers: "Developers",
    business: "Business",
  },
  list: {
    firstPage: "Go to first page",
    nothingMatches: "No results",
    nothingYet: "No results so far",
    nothingYetText: "Only a part of the list has been searched.",
    searchOn: "Keep searching",
    clearFilters: "Clear filters",
    tryAgain: "Try again",
    pages: "Pages",
    previous: "Previous",
    next: "Next",
    all: "All",
    any: "Any",
    status: "Status",
    filters: "{set, plural, =0 {Filters} other {Filters (#)}}",
    moreFilters: "More filters",
    removeFilter: "Remove filter: {label}",
    amountUnclear: "Type an amount like 12.50.",
    ranges: {
      label: "Period",
      today: "Today",
      yesterday: "Yesterday",
      week: "Last 7 days",
      days30: "Last 30 days",
      month: "This month",
      lastMonth: "Last month",
    },
    order: "Order",
    newestFirst: "Newest first",
    oldestFirst: "Oldest first",
    actions: "Actions",
    columns: "Columns",
  },
  detail: {
    loading: "Loading…",
  },
  /** Suggests another mode or business when a page's resource is not found in this one. */
  elsewhere: {
    notIn: {
      test: "It isn’t in the test mode of {business}. It may be in another mode or business, it may have been deleted, or the URL is incomplete.",
      live: "It isn’t in the live mode of {business}. It may be in another mode or business, it may have been deleted, or the URL is incomplete.",
    },
    look: {
      test: "Open in test mode",
      live: "Open in live mode",
      business: "Open in {business}",
    },
    failed: "Something went wrong",
    title: "This is in {business}",
    text: "You’re viewing {shown}. Your other open tabs switch too.",
    switch: "Switch to {business}",
    stay: "Stay in {shown}",
  },
  shownOnce: {
    kept: "I’ve saved it",
  },
  form: {
    goBack: "Go back",
    alreadyWorked: "An earlier attempt from this form already succeeded. Check the list, then open the form again.",
  },
} as const;
