import { env } from "@/lib/core/env";
import { seal, unseal } from "@/lib/core/secrets";
import type { StaffMails, Template } from "@/lib/resources/emails/templates";
import { kindNames, type NotificationKind } from "@/lib/resources/notifications/types";

/** A kind of mail that a member can turn off. */
export type Stoppable = NotificationKind | "digest";

/** What an unsubscribe link turns off, and for whom. */
export interface Unsubscribe {
  businessId: number;
  livemode: boolean;
  email: string;
  kinds: Stoppable[];
}

const sealContext = "unsubscribe";
const stoppable: readonly string[] = [...kindNames, "digest"];

/** A link that turns mails off without signing in. It turns nothing on and shows no data. */
export const unsubscribeLink = (unsubscribe: Unsubscribe): string =>
  `${env().APP_URL}/unsubscribe/${seal(JSON.stringify(unsubscribe), sealContext)}`;

/** @returns null for a token that we did not make, or with an APP_SECRET that is no longer known */
export function readUnsubscribeToken(token: string): Unsubscribe | null {
  try {
    const { businessId, livemode, email, kinds } = JSON.parse(unseal(token, sealContext)) as Unsubscribe;
    return { businessId, livemode, email, kinds: kinds.filter((kind) => stoppable.includes(kind)) };
  } catch {
    return null;
  }
}

/** What the recipient of a mail can turn off with one click; nothing for mails that are not notifications. */
export function stoppableIn(template: Template, props: object): Stoppable[] {
  if (template === "daily_digest") return ["digest"];
  if (template === "webhook_failing") return ["endpoint_failing"];
  if (template === "dispute_opened" || template === "dispute_ended" || template === "account_broken") return [template];
  if (template !== "notifications" || !("lines" in props)) return [];
  const { lines, others = [] } = props as StaffMails["notifications"];
  return [...new Set([...lines, ...others].map(({ kind }) => kind))];
}
