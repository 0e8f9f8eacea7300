/** The page to try the API. The reference itself is English, as the API is. */
export default {
  title: "API reference",
  newTab: "in a new tab",
  tryIt: "Try it",
  what: "What to ask",
  asCommand: "As a command",
  copyCommand: "Copy the command",
  copy: "Copy",
  command: "The command",
  live: "Put a key of yours in place of $KEY. In live mode the commands move money: switch to test mode to try them.",
  make: "Make a test key",
  read: "Read the reference",
  needsScope: "Needs the scope {scope}.",
  made: "The commands have a test key in them, which works for {days, plural, other {# days}}. Copy what you need: it is shown on this page now and never again. It stands among the API keys as “API reference”.",
  yourKey:
    "Put a key of yours in place of $KEY, or have one made for this: a test key, which moves no money and works for {days, plural, other {# days}}.",
} as const;
