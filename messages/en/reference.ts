/** The page to try the API. The reference itself is English, as the API is. */
export default {
  title: "API reference",
  newTab: "in a new tab",
  tryIt: "Try it",
  what: "Endpoint",
  language: "Language",
  copySample: "Copy sample",
  copy: "Copy",
  sample: "Sample",
  live: "Set the environment variable KEY to one of your keys. In live mode these samples move money. Switch to test mode to try them.",
  createKey: "Create a test key",
  read: "Open the reference",
  needsScope: "Needs the scope {scope}.",
  created:
    "The samples contain a test key that works for {days, plural, other {# days}}. Copy what you need: you won’t see it again. It’s listed under API keys as “API reference”.",
  yourKey:
    "Set the environment variable KEY to one of your keys, or create a test key for this. It moves no money and works for {days, plural, other {# days}}.",
} as const;
