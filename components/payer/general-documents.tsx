import type { PageLanguage } from "@/lib/core/payer-languages";
import type { Document } from "@/lib/payer/document";
import { type PayerTexts, payerTexts } from "@/messages/payer/texts";
import type { Merchant } from "./frame";
import { Notice, type NoticeProps } from "./notice";
import { durationWords } from "./words";

type Problem = keyof PayerTexts["problems"];

const problemPages: Record<Problem, { status: number; icon: NoticeProps["icon"] }> = {
  link_unknown: { status: 404, icon: "question" },
  token_unknown: { status: 404, icon: "question" },
  receipt_unknown: { status: 404, icon: "question" },
  page_unknown: { status: 404, icon: "question" },
  method: { status: 405, icon: "question" },
  too_large: { status: 413, icon: "cross" },
  not_a_form: { status: 415, icon: "cross" },
  limited: { status: 429, icon: "clock" },
  failed: { status: 500, icon: "cross" },
  away: { status: 503, icon: "clock" },
  card_away: { status: 503, icon: "clock" },
};

/** A page for a failed request. It names no business. */
export function problemDocument(problem: Problem, language: PageLanguage, headers?: Record<string, string>): Document {
  const t = payerTexts[language];
  const { status, icon } = problemPages[problem];
  const { title, text } = t.problems[problem];
  return {
    status,
    language,
    title,
    headers,
    body: <Notice t={t} tone="note" icon={icon} title={title} text={[text]} />,
  };
}

/** In place of a dashboard page, in English: the database, or the process that renders pages, is away or busy. */
export function pageAwayDocument(): Document {
  const title = "Temporarily unavailable";
  const text = ["Paydesk can’t show this page at the moment. Please try again in a few seconds."];
  return {
    status: 503,
    title,
    headers: { "Retry-After": "1" },
    body: (
      <Notice t={payerTexts.en} tone="note" icon="clock" title={title} text={text}>
        {/* biome-ignore lint/a11y/useValidAnchor: an empty address is that of the page itself */}
        <a className="button plain" href="">
          Try again
        </a>
      </Notice>
    ),
  };
}

export function limitedDocument(t: PayerTexts, merchant: Merchant, seconds: number, back: string): Document {
  const { title } = t.limited;
  return {
    status: 429,
    language: t.language,
    title,
    headers: { "Retry-After": String(seconds) },
    brand: merchant.brand,
    body: (
      <Notice
        t={t}
        merchant={merchant}
        tone="note"
        icon="clock"
        title={title}
        text={[t.limited.text(durationWords(t, seconds))]}
      >
        <a className="button plain" href={back}>
          {t.limited.back}
        </a>
      </Notice>
    ),
  };
}

export function plainThanksDocument(language: PageLanguage): Document {
  const t = payerTexts[language];
  return {
    status: 200,
    language,
    title: t.thanks,
    body: <Notice t={t} tone="good" icon="check" title={t.thanks} text={[t.canClose]} />,
  };
}
