"use client";

import { ShieldCheckIcon } from "@phosphor-icons/react/dist/ssr/ShieldCheck";
import { UserMinusIcon } from "@phosphor-icons/react/dist/ssr/UserMinus";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useOwnRole } from "@/components/shell/may";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { Pill } from "@/components/ui/pill";
import { RowMenu } from "@/components/ui/row-menu";
import { useToasts } from "@/components/ui/toasts";
import { appointable, type Role, roles } from "@/lib/auth/scopes";
import type { Member } from "@/lib/resources/team/contract";
import { useChangeRole, useRemoveMember } from "@/lib/resources/team/queries";

/** One member; with the ways to change the role and to remove, for whoever has a say over it. */
export function MemberRow({ member, you }: { member: Member; you: boolean }) {
  const own = useOwnRole();
  const t = useTranslations("team.member");
  const { _id: id, name, email, role, two_factor } = member;
  const says = useTranslations("team.roles");
  const [wanted, setWanted] = useState<Role | "remove" | null>(null);
  const change = useChangeRole();
  const remove = useRemoveMember();
  const toasts = useToasts();

  const told = {
    onSuccess: () => toasts.add({ title: t(wanted === "remove" ? "removed" : "changed", { name }) }),
    onError: (error: Error) => toasts.failed(t("failed"), error),
    onSettled: () => setWanted(null),
  };
  function act(): void {
    if (wanted === "remove") remove.mutate(id, told);
    else if (wanted) change.mutate({ id, role: wanted }, told);
  }
  const person = () => <bdi className="font-medium text-kumo-default">{name}</bdi>;

  return (
    <li className="flex min-h-16 items-center gap-3 border-b border-kumo-hairline px-4 py-2.5 last:border-0">
      <div className="min-w-0 flex-1">
        <p className="truncate text-base font-medium text-kumo-strong">
          {name}
          {you && <span className="font-normal text-kumo-subtle"> {t("you")}</span>}
        </p>
        <p className="truncate text-sm text-kumo-subtle">{email}</p>
      </div>
      {two_factor && (
        <span className="max-sm:hidden">
          <Pill label={t("twoFactor")} icon={ShieldCheckIcon} tone="good" />
        </span>
      )}
      <span className="shrink-0 text-base text-kumo-default sm:w-24">{says(`${role}.label`)}</span>
      {appointable(own, role) ? (
        <RowMenu
          label={t("more", { name })}
          actions={[
            ...roles
              .filter((other) => other !== role && appointable(own, other))
              .map((other) => ({ label: says(`${other}.make`), onClick: () => setWanted(other) })),
            { label: t("remove"), icon: UserMinusIcon, destructive: true, onClick: () => setWanted("remove") },
          ]}
        />
      ) : (
        <span className="w-9 max-sm:hidden" />
      )}
      <ConfirmAction
        open={wanted !== null}
        onOpenChange={(open) => !open && setWanted(null)}
        title={t(wanted === "remove" ? "removeTitle" : "changeTitle")}
        action={t(wanted === "remove" ? "remove" : "change")}
        destructive={wanted === "remove"}
        busy={change.isPending || remove.isPending}
        onConfirm={act}
      >
        {wanted === "remove" ? (
          <p>{t.rich("removeText", { person })}</p>
        ) : (
          wanted && (
            <p>
              {says.rich(`${wanted}.becomes`, { person })} {says(`${wanted}.says`)}
            </p>
          )
        )}
      </ConfirmAction>
    </li>
  );
}
