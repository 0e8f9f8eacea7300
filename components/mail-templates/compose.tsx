import { render, toPlainText } from "@react-email/render";
import type { Composed, Letterhead, Writer } from "@/lib/outbox/mail/send";
import type { PayerMails, StaffMails, Template } from "@/lib/resources/emails/templates";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { type PayerMailTexts, payerMailTexts } from "@/messages/payer/mail-texts";
import { Frame, type Letter } from "./frame";
import { payerTemplates } from "./payer";
import { staffTemplates } from "./staff";

const templates = { ...payerTemplates, ...staffTemplates };

type Props = PayerMails & StaffMails;

/** html-to-text has no types. */
interface TextBuilder {
  openBlock(options: { leadingLineBreaks: number }): void;
  closeBlock(options: { trailingLineBreaks: number }): void;
  addInline(text: string, options?: { noWordTransform: boolean }): void;
  addLineBreak(): void;
}
type TextElement = { attribs?: { href?: string }; children: unknown };

/** The texts in the language of the mail's payment link, else in English. Links in mails that an older version queued have no language. */
function textsOf(props: object): PayerMailTexts {
  const { link } = props as { link?: Partial<PaymentLink> | string | null };
  return payerMailTexts[(typeof link === "object" && link?.language) || "en"];
}

const letterOf = (template: Template, props: unknown, head: Letterhead, t: PayerMailTexts): Letter =>
  // `enqueue` has type-checked the props against the template.
  (templates[template] as (props: Props[Template], head: Letterhead, t: PayerMailTexts) => Letter)(
    props as Props[Template],
    head,
    t,
  );

const subjectOf = (template: Template, letter: Letter, head: Letterhead, t: PayerMailTexts): string =>
  head.livemode || template in staffTemplates ? letter.subject : t.mails.frame.testSubject(letter.subject);

/**
 * The same props give the same bytes.
 * @param props of the queued mail; `link: null` for the stored copy, which has no secret link
 */
async function compose(template: Template, props: object, head: Letterhead): Promise<Composed> {
  const t = textsOf(props);
  const letter = letterOf(template, props, head, t);
  const subject = subjectOf(template, letter, head, t);
  const staff = template in staffTemplates;
  const html = await render(<Frame t={t} head={head} letter={{ ...letter, subject }} staff={staff} />);
  return { subject, html, text: `${textOf(html).trim()}\n` };
}

/** Passed to lib/outbox/mail, which may not import components. */
export const writer: Writer = {
  compose,
  subject: (template, props, head) => {
    const t = textsOf(props);
    return subjectOf(template, letterOf(template, props, head, t), head, t);
  },
};

/** The mail's plain-text part. A button becomes its label, with its URL on the next line. */
function textOf(html: string): string {
  return toPlainText(html, {
    selectors: [
      { selector: "[data-action=true]", format: "action" },
      { selector: "h1", format: "block", options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
      { selector: "p.fact", format: "block", options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
      { selector: "a.link", format: "inline" },
    ],
    formatters: {
      action(element: TextElement, walk: (nodes: unknown, to: TextBuilder) => void, builder: TextBuilder) {
        builder.openBlock({ leadingLineBreaks: 2 });
        walk(element.children, builder);
        builder.addInline(":");
        builder.addLineBreak();
        builder.addInline(String(element.attribs?.href ?? ""), { noWordTransform: true });
        builder.closeBlock({ trailingLineBreaks: 2 });
      },
    },
  });
}
