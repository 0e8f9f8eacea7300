import type { Document } from "@/lib/payer/document";
import type { House } from "./frame";
import { Notice, type NoticeProps } from "./notice";
import { durationWords } from "./words";

type Words = { icon: NoticeProps["icon"]; title: string; text: string[] };

const words = {
  link_unknown: {
    status: 404,
    icon: "question",
    title: "We cannot find this payment",
    text: ["The address seems to be incomplete or wrong. Please open the link exactly as it was sent to you."],
  },
  token_unknown: {
    status: 404,
    icon: "question",
    title: "We cannot find this page",
    text: ["The address seems to be incomplete or wrong. Please open the link exactly as it was sent to you."],
  },
  receipt_unknown: {
    status: 404,
    icon: "question",
    title: "We cannot find this receipt",
    text: ["The address seems to be incomplete or wrong. Please open the link exactly as it was given to you."],
  },
  page_unknown: {
    status: 404,
    icon: "question",
    title: "We cannot find this page",
    text: ["There is nothing at this address."],
  },
  method: {
    status: 405,
    icon: "question",
    title: "This page cannot do that",
    text: ["Please open it again from the link that was sent to you."],
  },
  too_large: {
    status: 413,
    icon: "cross",
    title: "That was too much",
    text: ["The form was larger than it can be. Nothing was charged. Please go back and try again."],
  },
  not_a_form: {
    status: 415,
    icon: "cross",
    title: "We could not read the form",
    text: ["Nothing was charged. Please go back and try again."],
  },
  failed: {
    status: 500,
    icon: "cross",
    title: "Something went wrong on our side",
    text: ["Please wait a moment and open the page again before you pay. It will show whether a payment was made."],
  },
  away: {
    status: 503,
    icon: "clock",
    title: "We cannot be reached for a moment",
    text: ["Please open the page again in a few seconds. It will show whether a payment was made."],
  },
} as const satisfies Record<string, Words & { status: number }>;

/** A page about the request rather than about something of a business's. */
export function problemDocument(problem: keyof typeof words, headers?: Record<string, string>): Document {
  const { status, icon, title, text } = words[problem];
  return { status, title, headers, body: <Notice tone="note" icon={icon} title={title} text={text} /> };
}

/** 429, with the seconds to wait. */
export function limitedDocument(house: House, seconds: number, back: string): Document {
  const title = "Too many attempts";
  const text = [`Please wait ${durationWords(seconds)} and try again. You have not been charged.`];
  return {
    status: 429,
    title,
    headers: { "Retry-After": String(seconds) },
    brand: house.brand,
    body: (
      <Notice house={house} tone="note" icon="clock" title={title} text={text}>
        <a className="button plain" href={back}>
          Back to the form
        </a>
      </Notice>
    ),
  };
}

/** The thank-you page that needs to know nothing. */
export function plainThanksDocument(about: "payment" | "card"): Document {
  const text = about === "card" ? "Your card has been saved. Nothing was charged." : "You can close this page now.";
  return {
    status: 200,
    title: "Thank you",
    body: <Notice tone="good" icon="check" title="Thank you" text={[text]} />,
  };
}
