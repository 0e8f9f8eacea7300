import type { Document } from "@/lib/payer/document";
import type { Merchant } from "./frame";
import { Notice, type NoticeProps } from "./notice";
import { durationWords } from "./words";

type Words = { icon: NoticeProps["icon"]; title: string; text: readonly string[] };

const wrongLink = {
  status: 404,
  icon: "question",
  text: ["The link is incomplete or wrong. Please open it exactly as you received it."],
} as const;

const words = {
  link_unknown: { ...wrongLink, title: "We can’t find this payment" },
  token_unknown: { ...wrongLink, title: "We can’t find this page" },
  receipt_unknown: { ...wrongLink, title: "We can’t find this receipt" },
  page_unknown: {
    status: 404,
    icon: "question",
    title: "We can’t find this page",
    text: ["There is nothing at this address."],
  },
  method: {
    status: 405,
    icon: "question",
    title: "That didn’t work",
    text: ["Please open the page again from the link you received."],
  },
  too_large: {
    status: 413,
    icon: "cross",
    title: "The form is too large",
    text: ["You have not been charged. Please go back and try again."],
  },
  not_a_form: {
    status: 415,
    icon: "cross",
    title: "We couldn’t read the form",
    text: ["You have not been charged. Please go back and try again."],
  },
  limited: {
    status: 429,
    icon: "clock",
    title: "Too many attempts",
    text: ["There were too many wrong addresses from your network. Please wait a minute and open the page again."],
  },
  failed: {
    status: 500,
    icon: "cross",
    title: "Something went wrong on our side",
    text: ["Please wait a moment, then open the page again. It shows whether you have paid."],
  },
  away: {
    status: 503,
    icon: "clock",
    title: "Temporarily unavailable",
    text: ["Please open the page again in a few seconds. It shows whether you have paid."],
  },
} as const satisfies Record<string, Words & { status: number }>;

/** A page for a failed request. It names no business. */
export function problemDocument(problem: keyof typeof words, headers?: Record<string, string>): Document {
  const { status, icon, title, text } = words[problem];
  return { status, title, headers, body: <Notice tone="note" icon={icon} title={title} text={text} /> };
}

/** A dashboard page that cannot be shown, because the database or the process of the pages is away or busy. */
export function pageAwayDocument(): Document {
  const title = "Temporarily unavailable";
  const text = ["Paydesk can’t show this page at the moment. Please try again in a few seconds."];
  return {
    status: 503,
    title,
    headers: { "Retry-After": "1" },
    body: (
      <Notice tone="note" icon="clock" title={title} text={text}>
        {/* biome-ignore lint/a11y/useValidAnchor: an empty address is that of the page itself */}
        <a className="button plain" href="">
          Try again
        </a>
      </Notice>
    ),
  };
}

export function limitedDocument(merchant: Merchant, seconds: number, back: string): Document {
  const title = "Too many attempts";
  const text = [`Please wait ${durationWords(seconds)} and try again. You have not been charged.`];
  return {
    status: 429,
    title,
    headers: { "Retry-After": String(seconds) },
    brand: merchant.brand,
    body: (
      <Notice merchant={merchant} tone="note" icon="clock" title={title} text={text}>
        <a className="button plain" href={back}>
          Back to the form
        </a>
      </Notice>
    ),
  };
}

export function plainThanksDocument(): Document {
  const text = "You can close this page now.";
  return {
    status: 200,
    title: "Thank you",
    body: <Notice tone="good" icon="check" title="Thank you" text={[text]} />,
  };
}
