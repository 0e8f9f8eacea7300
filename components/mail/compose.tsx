import { render, toPlainText } from "@react-email/render";
import type { PayerMails, StaffMails, Template } from "@/lib/mail/mails";
import type { Composed, Letterhead } from "@/lib/mail/send";
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

/**
 * A mail as it is sent. The same props give the same bytes.
 * @param props of the template, as they were queued; `link: null` for the copy without a secret
 */
export async function compose(template: Template, props: unknown, head: Letterhead): Promise<Composed> {
  // Only what was typed by its template is ever queued (lib/mail/queue.ts).
  const letter = (templates[template] as (props: Props[Template], head: Letterhead) => Letter)(
    props as Props[Template],
    head,
  );
  const staff = template in staffTemplates;
  const subject = (head.livemode || staff ? "" : "[Test] ") + letter.subject;
  const html = await render(<Frame head={head} letter={{ ...letter, subject }} staff={staff} />);
  return { subject, html, text: `${textOf(html).trim()}\n` };
}

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
