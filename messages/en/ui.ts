/** Texts shared by all areas. */
export default {
  copied: "Copied",
  optional: "optional",
  broken: {
    title: "Something went wrong",
    text: "This page couldn’t be shown. Try again, or reload it.",
    reference: "Reference: {digest}",
    tryAgain: "Try again",
  },
  notFound: {
    title: "This page does not exist",
    text: "Check the address. The page may have moved.",
    /** In place of `text`, below the title `notAllowed`, for a signed-in user. */
    askForRole: "Your role doesn’t allow this page. Ask an owner or admin to change your role.",
    toDashboard: "Go to dashboard",
  },
  close: "Close",
  /** An action on several rows. */
  bulk: {
    progress: "{finished, number} of {total, number}",
    result: "{done, number} succeeded, {failed, number} failed:",
    retry: "Try {count, number} again",
    close: "Close",
  },
  loading: "Loading…",
  notifications: "Notifications",
  loadFailure: {
    title: "Couldn’t load this",
    text: "Check your connection and try again. If that doesn’t help, reload the page.",
    retry: "Try again",
  },
  discard: {
    typed: {
      title: "Discard unsaved changes?",
      text: "Your changes haven’t been saved.",
      keep: "Keep editing",
      discard: "Discard",
    },
    import: {
      title: "Leave before the import finishes?",
      text: "The import stops. Choose the same file again to continue: no link is created twice.",
      keep: "Stay here",
      discard: "Leave",
    },
    secret: {
      title: "Have you saved it?",
      text: "You won’t be able to see it again.",
      keep: "Stay here",
      discard: "Leave",
    },
  },
  amount: {
    mean: "Did you mean",
    either: "This can be two amounts. Choose the one you mean.",
    read: "= {amount}",
    otherCurrency: "This amount isn’t in {currency}. Enter it in {currency}.",
  },
  /** In place of what the API says of a form's value that is missing, or has not the form that the field takes. */
  enter: {
    amount: "Enter an amount.",
    code: "Enter the code.",
    description: "Enter a description.",
    email: "Enter an e-mail address, such as anna@example.com.",
    expires_at: "Choose a time in the future.",
    name: "Enter a name.",
    package_id: "Choose a package.",
    password: "Enter your password.",
    redirect_url: "Enter an https address, such as https://shop.example/thanks.",
    tax_percent: "Enter a percentage from 0 to 100, with at most two decimals.",
    title: "Enter a title.",
    url: "Enter an https address, such as https://shop.example/hooks.",
    other: "Fill in this field.",
  },
  currency: { common: "Common", others: "Others" },
  /** Why a request failed. */
  failure: {
    unexpected: "Something unexpected happened. Reload the page.",
    signedOut: "Your session had ended, so nothing changed. Sign in and try again.",
    unconfirmed: "Nothing changed, because you didn’t confirm it’s you.",
    forbidden: "Your role does not allow this.",
    emailNotVerified: "Confirm your e-mail address first, with the link we sent you.",
    tooMany: "Too many requests. Wait a moment and try again.",
    tooManySeconds: "Too many requests. Try again in {seconds, plural, one {# second} other {# seconds}}.",
    tooManyMinutes: "Too many attempts. Try again at {time}, in {minutes, plural, one {# minute} other {# minutes}}.",
    tooManyHours: "Too many attempts. Try again at {time}, in {hours, plural, one {# hour} other {# hours}}.",
    stillAtWork: "An earlier attempt is still in progress. Wait a moment and try again.",
    away: "Paydesk couldn’t do this right now. Try again.",
    awayRequest: "Paydesk couldn’t do this right now. Try again. (Request {request})",
  },
} as const;
