"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { LoadFailure, Skeleton } from "@/components/ui/list/list-frame";
import { Sheet } from "@/components/ui/sheet";
import { sheetPart } from "@/components/ui/sheet-part";
import { ShownOnce } from "@/components/ui/shown-once";
import { invitationEndpoints } from "@/lib/resources/team/contract";
import { membersQueryOptions } from "@/lib/resources/team/queries";
import { Invitations } from "./invitations";
import { MemberRow } from "./member-row";

const InviteForm = sheetPart(() => import("./invite-form").then(({ InviteForm }) => InviteForm));

/** Who works here, and who is asked to. */
export function TeamPage({ userId }: { userId: string }) {
  const t = useTranslations("team.page");
  const members = useQuery(membersQueryOptions());
  const [open, setOpen] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const may = useMay();
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">{t("title")}</h1>
        {may(invitationEndpoints.create) && (
          <Button variant="primary" icon={<PlusIcon size={16} weight="bold" />} onClick={() => setOpen(true)}>
            {t("invite")}
          </Button>
        )}
      </div>
      {members.isPending ? (
        <Skeleton of="single.members" />
      ) : members.isError ? (
        <LoadFailure of="single.members" query={members} />
      ) : (
        <ul aria-label={t("members")} className="overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line">
          {members.data.rows.map((member) => (
            <MemberRow key={member._id} member={member} you={member._id === userId} />
          ))}
        </ul>
      )}
      <Invitations onSent={setLink} />
      <Sheet open={open} onOpenChange={setOpen} title={t("invite")}>
        <InviteForm
          onSent={(url) => {
            setOpen(false);
            setLink(url);
          }}
        />
      </Sheet>
      <ShownOnce title={t("sent")} secret={link} copy={t("copyLink")} onDone={() => setLink(null)}>
        {t("sentText")}
      </ShownOnce>
    </>
  );
}
