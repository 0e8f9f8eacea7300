"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { useState } from "react";
import { LoadFailure, Skeleton } from "@/components/shell/list/list-frame";
import { ShownOnce } from "@/components/shell/shown-once";
import { Sheet } from "@/components/ui/sheet";
import { allows, type Role, roleScopes } from "@/lib/auth/scopes";
import { useMembers } from "@/lib/team/queries";
import { Invitations } from "./invitations";
import { InviteForm } from "./invite-form";
import { MemberRow } from "./member-row";

/** Who works here, and who is asked to. */
export function TeamPage({ role, userId }: { role: Role; userId: string }) {
  const members = useMembers();
  const [open, setOpen] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const canWrite = allows(roleScopes[role], "team:write");
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">Team</h1>
        {canWrite && (
          <Button variant="primary" icon={<PlusIcon size={16} weight="bold" />} onClick={() => setOpen(true)}>
            Invite somebody
          </Button>
        )}
      </div>
      {members.isPending ? (
        <Skeleton what="members" />
      ) : members.isError ? (
        <LoadFailure what="members" query={members} />
      ) : (
        <ul aria-label="Members" className="overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line">
          {members.data.rows.map((member) => (
            <MemberRow key={member._id} member={member} role={role} you={member._id === userId} />
          ))}
        </ul>
      )}
      <Invitations role={role} onSent={setLink} />
      <Sheet open={open} onOpenChange={setOpen} title="Invite somebody">
        <InviteForm
          role={role}
          onSent={(url) => {
            setOpen(false);
            setLink(url);
          }}
        />
      </Sheet>
      <ShownOnce title="The invitation is on its way" secret={link} what="link" onDone={() => setLink(null)}>
        If no mail arrives, hand over this link yourself. It works once, for seven days, and is shown now and never
        again.
      </ShownOnce>
    </>
  );
}
