import { ShieldCheckIcon } from "@phosphor-icons/react/dist/ssr/ShieldCheck";
import { SignOutIcon } from "@phosphor-icons/react/dist/ssr/SignOut";
import { UserMinusIcon } from "@phosphor-icons/react/dist/ssr/UserMinus";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useOwnRole } from "@/components/shell/may";
import { useDialogs } from "@/components/ui/dialogs";
import { Pill } from "@/components/ui/pill";
import { RowMenu } from "@/components/ui/row-menu";
import { useToasts } from "@/components/ui/toasts";
import { mayManage, type Role, roles } from "@/lib/auth/scopes";
import type { Member } from "@/lib/resources/team/contract";
import {
  memberKeysQueryOptions,
  useChangeRole,
  useEndMemberSessions,
  useRemoveMember,
} from "@/lib/resources/team/queries";
import { RemovalKeys } from "./removal-keys";

export function MemberRow({ member, you }: { member: Member; you: boolean }) {
  const own = useOwnRole();
  const t = useTranslations("team.member");
  const { _id: id, name, email, role, two_factor } = member;
  const says = useTranslations("team.roles");
  const { confirm } = useDialogs();
  const change = useChangeRole();
  const endSessions = useEndMemberSessions();
  const remove = useRemoveMember();
  const client = useQueryClient();
  const toasts = useToasts();

  const person = () => <bdi className="font-medium text-kumo-default">{name}</bdi>;

  async function askToRemove(): Promise<void> {
    let keepKeys: string[] = [];
    try {
      const { api_keys } = await client.fetchQuery({ ...memberKeysQueryOptions(id), staleTime: 0 });
      await confirm({
        title: t("removeTitle"),
        body: (
          <>
            <p>{t.rich("removeText", { person })}</p>
            <RemovalKeys
              keys={api_keys}
              onKeep={(ids) => {
                keepKeys = ids;
              }}
            />
          </>
        ),
        action: t("remove"),
        destructive: true,
        run: () =>
          toasts.report(remove.mutateAsync({ id, keepKeys }), { done: t("removed", { name }), failed: t("failed") }),
      });
    } catch (error) {
      toasts.failed(t("failed"), error as Error);
    }
  }
  const askToEndSessions = () =>
    confirm({
      title: t("endSessionsTitle"),
      body: <p>{t.rich("endSessionsText", { person })}</p>,
      action: t("endSessions"),
      run: () => toasts.report(endSessions.mutateAsync(id), { done: t("signedOut", { name }), failed: t("failed") }),
    });
  const askToChange = (wanted: Role) =>
    confirm({
      title: t("changeTitle"),
      body: (
        <p>
          {says.rich(`${wanted}.becomes`, { person })} {says(`${wanted}.description`)}
        </p>
      ),
      action: t("change"),
      run: () =>
        toasts.report(change.mutateAsync({ id, role: wanted }), { done: t("changed", { name }), failed: t("failed") }),
    });

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
      {mayManage(own, role) ? (
        <RowMenu
          label={t("more", { name })}
          actions={[
            ...roles
              .filter((other) => other !== role && mayManage(own, other))
              .map((other) => ({ label: says(`${other}.make`), onClick: () => void askToChange(other) })),
            // One's own are on the account page.
            ...(you ? [] : [{ label: t("endSessions"), icon: SignOutIcon, onClick: () => void askToEndSessions() }]),
            { label: t("remove"), icon: UserMinusIcon, destructive: true, onClick: () => void askToRemove() },
          ]}
        />
      ) : (
        <span className="w-9 max-sm:hidden" />
      )}
    </li>
  );
}
