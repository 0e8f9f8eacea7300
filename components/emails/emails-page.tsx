"use client";

import { buttonVariants } from "@cloudflare/kumo/components/button";
import Link from "next/link";
import { Search, StatusFilter } from "@/components/shell/list/filters";
import { ListFrame } from "@/components/shell/list/list-frame";
import { readCommon, useListAddress } from "@/components/shell/list/use-list-address";
import { Notice } from "@/components/ui/notice";
import { useMedia } from "@/components/ui/use-media";
import { emailStatuses } from "@/lib/emails/contract";
import { type EmailFilter, useEmails } from "@/lib/emails/queries";
import { EmailCards } from "./email-cards";
import { EmailTable } from "./email-table";
import { statusLabels } from "./words";

function readFilter(params: URLSearchParams): EmailFilter {
  const { q: _, ...common } = readCommon(params, emailStatuses);
  const to = params.get("to")?.slice(0, 254).trim();
  return { ...common, ...(to && { to }) };
}

/** Every mail to payers and staff: sent, waiting, or kept here. */
export function EmailsPage() {
  const { filter, show } = useListAddress(readFilter);
  const { status, to } = filter;
  const emails = useEmails(filter);
  const wide = useMedia("(min-width: 64rem)");
  const asked = [status && `the status ${statusLabels[status]}`, to && `the recipient ${to}`].filter((part) => !!part);
  const List = wide ? EmailTable : EmailCards;

  return (
    <>
      <div className="mb-5">
        <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">Outbox</h1>
        <p className="mt-1 text-base text-kumo-subtle">
          Every e-mail in your name. In test mode, and where no mail server is set up, they are kept here and not sent.
        </p>
      </div>
      <div className="mb-4 flex flex-col gap-3 lg:flex-row lg:items-center lg:justify-between">
        <StatusFilter
          labels={statusLabels}
          status={status}
          onChange={(next) => show({ status: next, to }, "replace")}
        />
        <Search
          label="Search by recipient"
          placeholder="Recipient's whole address"
          q={to}
          onSearch={(next) => show({ status, to: next }, "replace")}
        />
      </div>
      <ListFrame
        rows={emails}
        nouns={["e-mail", "e-mails"]}
        filter={filter}
        asked={asked.map(String)}
        onShow={show}
        empty={
          <Notice
            title="No e-mails yet"
            action={
              <Link href="/payment-links" className={buttonVariants({ variant: "secondary" })}>
                Go to the payment links
              </Link>
            }
          >
            Payers are written to when there is something to pay, when it is paid, and when a saved card fails. Create a
            payment link, and its e-mail stands here.
          </Notice>
        }
      >
        {(rows) => <List rows={rows} />}
      </ListFrame>
    </>
  );
}
