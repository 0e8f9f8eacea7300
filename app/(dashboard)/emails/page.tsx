import { listPage } from "@/app/(dashboard)/list-page";
import { EmailsPage } from "@/components/emails/emails-page";
import { emailFilters } from "@/components/emails/filters";
import { emailsQueryOptions } from "@/lib/resources/emails/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("emails");

export default listPage("/emails", EmailsPage, {
  filters: emailFilters,
  query: emailsQueryOptions,
});
