import type { Letterhead } from "@/lib/outbox/mail/send";
import type { StaffMails } from "@/lib/resources/emails/templates";
import type { Letter } from "./frame";

/** `link` is null in the stored copy of a mail whose link is a secret. */
type Stored<Props> = Props extends { link: string } ? Omit<Props, "link"> & { link: string | null } : Props;
export type StaffTemplates = { [T in keyof StaffMails]: (props: Stored<StaffMails[T]>, head: Letterhead) => Letter };
