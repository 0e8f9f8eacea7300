"use client";

import { useTranslations } from "use-intl";
import { buttonVariants } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Search, StatusFilter } from "@/components/ui/list/filters";
import { ListFrame } from "@/components/ui/list/list-frame";
import { readCommon, useListAddress } from "@/components/ui/list/use-list-address";
import { Notice } from "@/components/ui/notice";
import { useMedia } from "@/components/ui/use-media";
import { emailStatuses } from "@/lib/resources/emails/contract";
import { type EmailFilter, useEmails } from "@/lib/resources/emails/queries";
import { EmailCards } from "./email-cards";
import { EmailTable } from "./email-table";
import { useStatusLabels } from "./words";

function readFilter(params: URLSearchParams): EmailFilter {
  const { q: _, ...common } = readCommon(params, emailStatuses);
  const to = params.get("to")?.slice(0, 254).trim();
  return { ...common, ...(to && { to }) };
}

/** Every mail to payers and staff: sent, waiting, or kept here. */
export function EmailsPage() {
  const t = useTranslations("emails.page");
  const { filter, show } = useListAddress(readFilter);
  const { status, to } = filter;
  const statusLabels = useStatusLabels();
  const emails = useEmails(filter);
  const wide = useMedia("(min-width: 64rem)");
  const asked = [status && t("asked.status", { status: statusLabels[status] }), to && t("asked.to", { to })].filter(
    (part) => !!part,
  );
  const List = wide ? EmailTable : EmailCards;

  return (
    <>
      <div className="mb-5">
        <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">{t("title")}</h1>
        <p className="mt-1 text-base text-kumo-subtle">{t("lead")}</p>
      </div>
      <div className="mb-4 flex flex-col gap-3 lg:flex-row lg:items-center lg:justify-between">
        <StatusFilter
          labels={statusLabels}
          status={status}
          onChange={(next) => show({ status: next, to }, "replace")}
        />
        <Search
          label={t("search")}
          placeholder={t("searchHint")}
          q={to}
          onSearch={(next) => show({ status, to: next }, "replace")}
        />
      </div>
      <ListFrame
        rows={emails}
        of="emails"
        filter={filter}
        asked={asked.map(String)}
        onShow={show}
        empty={
          <Notice
            title={t("empty")}
            action={
              <Link href="/payment-links" className={buttonVariants({ variant: "secondary" })}>
                {t("toLinks")}
              </Link>
            }
          >
            {t("emptyText")}
          </Notice>
        }
      >
        {(rows) => <List rows={rows} />}
      </ListFrame>
    </>
  );
}
