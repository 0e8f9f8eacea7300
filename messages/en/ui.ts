/** What belongs to no area. */
export default {
  copied: "Copied",
  optional: "optional",
  broken: {
    title: "Something went wrong",
    text: "The fault is on our side, and nothing was charged or changed by opening this page. Trying again often helps.",
    reference: "Reference: {digest}",
    tryAgain: "Try again",
  },
  notFound: {
    title: "This page does not exist",
    text: "The address may be mistyped, or what was here has moved.",
    toDashboard: "Go to the dashboard",
  },
  close: "Close",
  loading: "Loading …",
  notifications: "Notifications",
  loadFailure: {
    title: "That could not be loaded",
    text: "Check the connection and try again. If that does not help, load the page again.",
    retry: "Try again",
  },
  discard: {
    typed: {
      title: "Discard what you typed?",
      text: "It has not been saved.",
      keep: "Keep editing",
      discard: "Discard",
    },
    import: {
      title: "Leave before the import is done?",
      text: "It stops with the rows that are done. Choose the same file again to go on: nothing is made twice.",
      keep: "Stay here",
      discard: "Leave",
    },
    secret: {
      title: "Have you kept it?",
      text: "It is shown this once. Without a copy, nobody can show it again.",
      keep: "Stay here",
      discard: "Leave",
    },
  },
  /** Why something could not be done. */
  failure: {
    unexpected: "Something unexpected happened. Please reload the page.",
    signedOut: "Your session had ended, so nothing was done. Sign in, then do it once more.",
    forbidden: "Your role does not allow this.",
    tooMany: "There were too many requests at once. Please wait a moment and try again.",
    tooManySeconds:
      "There were too many requests at once. Please try again in {seconds, plural, one {# second} other {# seconds}}.",
    tooManyMinutes:
      "That was too often. Please try again at {time}, in {minutes, plural, one {# minute} other {# minutes}}.",
    tooManyHours: "That was too often. Please try again at {time}, in {hours, plural, one {# hour} other {# hours}}.",
    stillAtWork: "An earlier attempt is still at work. Please wait a moment and try again.",
    away: "Paydesk could not do this right now. Please try again.",
    awayRequest: "Paydesk could not do this right now. Please try again. (Request {request})",
  },
} as const;
