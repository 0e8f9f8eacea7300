/** The frame around every page, and what all lists share. */
export default {
  frame: {
    skip: "Skip to content",
    main: "Main",
    noMoney: "No money moves here<more>: only test cards work</more>.",
  },
  /** In live mode, until a gateway account is connected. */
  noGateway: {
    text: "Live links cannot be paid yet: no payment gateway is connected.",
    connect: "Connect Stripe",
    ask: "Ask an owner or admin to connect Stripe.",
  },
  userMenu: {
    label: "Account of {name}",
    appearance: "Appearance",
    theme: { system: "System", light: "Light", dark: "Dark" },
    language: "Language",
    account: "Your account",
    signOut: "Sign out",
    stillSignedIn: "You are still signed in",
    signOutFailed: "Signing out did not work. Please try again.",
  },
  modeSwitch: { mode: "Mode", test: "Test", live: "Live" },
  businessSwitcher: { label: "Business: {name}", failed: "That did not work", create: "New business" },
  createBusiness: {
    title: "New business",
    create: "Create business",
    text: "You are its owner, and this page goes there. It has its own team, keys, links and settings, and begins in test mode.",
    name: "Name",
    nameHint: "As payers see it.",
    currency: "Currency",
    timeZone: "Time zone",
    timeZoneHint: "When a day of your subscriptions begins.",
  },
  nav: {
    developers: "Developers",
    business: "Business",
  },
  list: {
    firstPage: "Go to the first page",
    nothingMatches: "Nothing matches",
    clearFilters: "Clear the filters",
    tryAgain: "Try again",
    pages: "Pages",
    previous: "Previous",
    next: "Next",
    all: "All",
    any: "Any",
    status: "Status",
    filters: "{set, plural, =0 {Filters} other {Filters (#)}}",
    moreFilters: "More filters",
    order: "Order",
    newestFirst: "Newest first",
    oldestFirst: "Oldest first",
    actions: "Actions",
    columns: "Columns",
  },
  detail: {
    loading: "Loading …",
  },
  /** Where what an address names may be, when it is not here. */
  elsewhere: {
    notIn: {
      test: "It is not in the test mode of {business}. It is elsewhere, was deleted, or the address is not complete.",
      live: "It is not in the live mode of {business}. It is elsewhere, was deleted, or the address is not complete.",
    },
    look: {
      test: "Look in test mode",
      live: "Look in live mode",
      business: "Look in {business}",
    },
    failed: "That did not work",
    title: "This is in {business}",
    text: "You are looking at {shown}. Your other open pages switch along.",
    switch: "Switch to {business}",
    stay: "Stay in {shown}",
  },
  shownOnce: {
    kept: "I have kept it",
  },
  form: {
    goBack: "Go back",
    alreadyWorked: "An earlier attempt from this form has already worked. Look at the list, then open the form again.",
  },
} as const;
