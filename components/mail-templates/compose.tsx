import { render, toPlainText } from "@react-email/render";
import type { Composed, Letterhead, Writer } from "@/lib/outbox/mail/send";
import type { PayerMails, StaffMails, Template } from "@/lib/resources/emails/templates";
import { Frame, type Letter } from "./frame";
import { payerTemplates } from "./payer";
import { staffTemplates } from "./staff";

const templates = { ...payerTemplates, ...staffTemplates };

type Props = PayerMails & StaffMails;

/** The part of html-to-text's builder that is used here; it comes without types. */
interface TextBuilder {
  openBlock(options: { leadingLineBreaks: number }): void;
  closeBlock(options: { trailingLineBreaks: number }): void;
  addInline(text: string, options?: { noWordTransform: boolean }): void;
  addLineBreak(): void;
}
type TextElement = { attribs?: { href?: string }; children: unknown };

const letterOf = (template: Template, props: unknown, head: Letterhead): Letter =>
  // Only what was typed by its template is ever queued (lib/outbox/mail/enqueue.ts).
  (templates[template] as (props: Props[Template], head: Letterhead) => Letter)(props as Props[Template], head);

/** The first line of a mail, without writing the rest. */
const subjectOf = (template: Template, letter: Letter, head: Letterhead): string =>
  (head.livemode || template in staffTemplates ? "" : "[Test] ") + letter.subject;

/**
 * A mail as it is sent. The same props give the same bytes.
 * @param props of the template, as they were queued; `link: null` for the copy without a secret
 */
async function compose(template: Template, props: unknown, head: Letterhead): Promise<Composed> {
  const letter = letterOf(template, props, head);
  const subject = subjectOf(template, letter, head);
  const html = await render(<Frame head={head} letter={{ ...letter, subject }} staff={template in staffTemplates} />);
  return { subject, html, text: `${textOf(html).trim()}\n` };
}

/** What writes mails, for lib/outbox/mail, which knows no components. */
export const writer: Writer = {
  compose,
  subject: (template, props, head) => subjectOf(template, letterOf(template, props, head), head),
};

/** The same mail for who reads plain text: the button becomes its label and, on a line of its own, its address. */
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
