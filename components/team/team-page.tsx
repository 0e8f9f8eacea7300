"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useCreateSheet } from "@/components/shell/use-create-sheet";
import { LoadFailure, Skeleton } from "@/components/ui/list/list-frame";
import { onDemand } from "@/components/ui/on-demand";
import { useToasts } from "@/components/ui/toasts";
import { invitationEndpoints } from "@/lib/resources/team/contract";
import { membersQueryOptions } from "@/lib/resources/team/queries";
import { Invitations } from "./invitations";
import { MemberRow } from "./member-row";

const InviteForm = onDemand(() => import("./invite-form").then(({ InviteForm }) => InviteForm));

/** @param sendsMail whether this installation has a mail server */
export function TeamPage({ userId, sendsMail }: { userId: string; sendsMail: boolean }) {
  const t = useTranslations("team.page");
  const members = useQuery(membersQueryOptions());
  const toasts = useToasts();
  const invite = useCreateSheet({
    endpoint: invitationEndpoints.create,
    form: InviteForm,
    title: t("invite"),
    content: (close) => (
      <InviteForm
        onSent={(email) => {
          close();
          toasts.add({ title: t(sendsMail ? "sent" : "created", { email }) });
        }}
      />
    ),
  });
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">{t("title")}</h1>
        {invite}
      </div>
      {members.isPending ? (
        <Skeleton of="single.members" />
      ) : members.isError ? (
        <LoadFailure of="single.members" query={members} />
      ) : (
        <ul aria-label={t("members")} className="overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line">
          {members.data.map((member) => (
            <MemberRow key={member._id} member={member} you={member._id === userId} />
          ))}
        </ul>
      )}
      <Invitations sendsMail={sendsMail} />
    </>
  );
}
