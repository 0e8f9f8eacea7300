/** The page to try the API. The reference itself is English, as the API is. */
export default {
  title: "API reference",
  newTab: "in a new tab",
  tryIt: "Try it",
  what: "Endpoint",
  asCommand: "cURL",
  copyCommand: "Copy command",
  copy: "Copy",
  command: "Command",
  live: "Replace $KEY with one of your keys. In live mode these commands move money. Switch to test mode to try them.",
  createKey: "Create a test key",
  read: "Open the reference",
  needsScope: "Needs the scope {scope}.",
  created:
    "The commands contain a test key that works for {days, plural, other {# days}}. Copy what you need: you won’t see it again. It’s listed under API keys as “API reference”.",
  yourKey:
    "Replace $KEY with one of your keys, or create a test key for this. It moves no money and works for {days, plural, other {# days}}.",
} as const;
