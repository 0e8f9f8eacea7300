"use client";

import { DropdownMenu } from "@cloudflare/kumo/components/dropdown";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { ShieldCheckIcon } from "@phosphor-icons/react/dist/ssr/ShieldCheck";
import { UserMinusIcon } from "@phosphor-icons/react/dist/ssr/UserMinus";
import { useState } from "react";
import { ConfirmAction } from "@/components/shell/confirm-action";
import { Pill } from "@/components/shell/pill";
import { RowMenu } from "@/components/shell/row-menu";
import { explainFailure } from "@/components/ui/explain-failure";
import { appointable, type Role, roles } from "@/lib/auth/scopes";
import type { Member } from "@/lib/team/contract";
import { useChangeRole, useRemoveMember } from "@/lib/team/queries";
import { roleLabels, roleSays } from "./words";

/** One member; with the ways to change the role and to remove, for whoever has a say over it. */
export function MemberRow({ member, role: own, you }: { member: Member; role: Role; you: boolean }) {
  const { _id: id, name, email, role, two_factor } = member;
  const [wanted, setWanted] = useState<Role | "remove" | null>(null);
  const change = useChangeRole();
  const remove = useRemoveMember();
  const toasts = useKumoToastManager();

  const told = {
    onSuccess: () => toasts.add({ title: wanted === "remove" ? `Removed: ${name}` : `Changed: ${name}` }),
    onError: (error: Error) =>
      toasts.add({ title: "That did not work", description: explainFailure(error), variant: "error" }),
    onSettled: () => setWanted(null),
  };
  function act(): void {
    if (wanted === "remove") remove.mutate(id, told);
    else if (wanted) change.mutate({ id, role: wanted }, told);
  }
  const person = <b className="font-medium text-kumo-default">{name}</b>;

  return (
    <li className="flex min-h-16 items-center gap-3 border-b border-kumo-hairline px-4 py-2.5 last:border-0">
      <div className="min-w-0 flex-1">
        <p className="truncate text-base font-medium text-kumo-strong">
          {name}
          {you && <span className="font-normal text-kumo-subtle"> (you)</span>}
        </p>
        <p className="truncate text-sm text-kumo-subtle">{email}</p>
      </div>
      {two_factor && (
        <span className="max-sm:hidden">
          <Pill label="Two-factor" icon={ShieldCheckIcon} tone="good" />
        </span>
      )}
      <span className="shrink-0 text-base text-kumo-default sm:w-24">{roleLabels[role]}</span>
      {appointable(own, role) ? (
        <RowMenu label={`More for ${name}`}>
          {roles
            .filter((other) => other !== role && appointable(own, other))
            .map((other) => (
              <DropdownMenu.Item key={other} onClick={() => setWanted(other)}>
                Make {roleLabels[other].toLowerCase()}
              </DropdownMenu.Item>
            ))}
          <DropdownMenu.Item icon={UserMinusIcon} variant="danger" onClick={() => setWanted("remove")}>
            Remove
          </DropdownMenu.Item>
        </RowMenu>
      ) : (
        <span className="w-9 max-sm:hidden" />
      )}
      <ConfirmAction
        open={wanted !== null}
        onOpenChange={(open) => !open && setWanted(null)}
        title={wanted === "remove" ? "Remove from the team?" : "Change the role?"}
        action={wanted === "remove" ? "Remove" : "Change role"}
        destructive={wanted === "remove"}
        busy={change.isPending || remove.isPending}
        onConfirm={act}
      >
        {wanted === "remove" ? (
          <p>{person} is signed out at once and no longer sees this business. API keys stay as they are.</p>
        ) : (
          wanted && (
            <p>
              {person} becomes {roleLabels[wanted].toLowerCase()} and has to sign in again. {roleSays[wanted]}
            </p>
          )
        )}
      </ConfirmAction>
    </li>
  );
}
