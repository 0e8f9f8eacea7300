export default {
  testMode: "Test mode",
  testModeHint: "Only test cards work, and no money moves.",
  testModeTrigger: "Test mode<hidden>: test clock</hidden>",
  /** In the bar below the head of the page. */
  shows: "<label>Test clock:</label> <when></when>",
  advancingTo: "<label>Test clock: advancing</label> to <when></when>",
  arrived: "The test clock shows {time}",
  open: "Advance",
  openLabel: "Advance the test clock",
  progress: "Advancing the test clock",
  advance: {
    title: "Test clock",
    text: "It shows <when></when>. When you advance it, everything due until then happens in order. Payments, periods and expiries follow this clock. It can’t be set back.",
    step: {
      daily: "+ 1 day",
      weekly: "+ 1 week",
      monthly: "+ 1 month",
    },
    stepLabel: {
      daily: "Advance by 1 day",
      weekly: "Advance by 1 week",
      monthly: "Advance by 1 month",
    },
    form: "Advance to a time",
    to: "Advance to",
    toHint: "In the time zone {zone}, at most two years ahead.",
    toMissing: "Choose a date and time.",
    action: "Advance",
    busy: "Advancing…",
    failed: "The clock was not advanced",
  },
} as const;
