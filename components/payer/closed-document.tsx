import type { Document } from "@/lib/payer/document";
import type { Payable } from "@/lib/payer/payable";
import type { PayerTexts } from "@/messages/payer/texts";
import { Notice, type NoticeProps } from "./notice";
import { pageOf, requestFacts, textsOf } from "./pay-documents";
import { merchantOf } from "./pay-form";

type ClosedState = "Expired" | "Inactive" | "Deleted";

/** 410. Only the business can reopen the link. What a deleted link asked for is not shown. */
export function closedDocument(link: Payable, state: ClosedState): Document {
  const t = textsOf(link);
  const { icon, title, text } = closedWords(t, link, state);
  return {
    status: 410,
    ...pageOf(link),
    title,
    body: (
      <Notice
        t={t}
        merchant={merchantOf(link)}
        tone="note"
        icon={icon}
        title={title}
        text={text}
        facts={state === "Deleted" ? undefined : requestFacts(t, link)}
      />
    ),
  };
}

function closedWords(
  { closed }: PayerTexts,
  { subscription_status: subscription, business_name: business }: Payable,
  state: ClosedState,
): Pick<NoticeProps, "icon" | "title" | "text"> {
  if (state === "Expired") return { icon: "clock", title: closed.expired, text: [closed.askForNew(business)] };
  if (state === "Deleted") return { icon: "cross", title: closed.deleted, text: [closed.askForNew(business)] };
  if (subscription === "cancel" || subscription === "completed") {
    const how = subscription === "cancel" ? closed.cancelled : closed.completed;
    return { icon: "pause", title: closed.ended, text: [how(business), closed.payAnyway(business)] };
  }
  return { icon: "pause", title: closed.inactive, text: [closed.paused(business)] };
}
