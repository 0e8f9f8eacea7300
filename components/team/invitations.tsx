import { PaperPlaneTiltIcon } from "@phosphor-icons/react/dist/ssr/PaperPlaneTilt";
import { XCircleIcon } from "@phosphor-icons/react/dist/ssr/XCircle";
import { useTranslations } from "use-intl";
import { useOwnRole } from "@/components/shell/may";
import { CopyButton } from "@/components/ui/copy-button";
import { useDialogs } from "@/components/ui/dialogs";
import { useIdempotencyKey } from "@/components/ui/idempotency-key";
import { LoadFailure } from "@/components/ui/list/list-frame";
import { RowMenu } from "@/components/ui/row-menu";
import { useToasts } from "@/components/ui/toasts";
import { When } from "@/components/ui/when";
import { mayManage } from "@/lib/auth/scopes";
import type { Invitation } from "@/lib/resources/team/contract";
import { useInvitations, useResend, useWithdraw } from "@/lib/resources/team/queries";

export function Invitations({ sendsMail }: { sendsMail: boolean }) {
  const t = useTranslations("team.invitations");
  const query = useInvitations();
  const { data } = query;
  if (query.isError && !data)
    return (
      <div className="mt-8">
        <LoadFailure of="single.invitations" query={query} />
      </div>
    );
  if (!data || data.length === 0) return null;
  return (
    <section aria-label={t("label")} className="mt-8">
      <h2 className="mb-3 text-[15px] font-semibold text-kumo-strong">{t("title")}</h2>
      {!sendsMail && <p className="mb-3 max-w-2xl text-base leading-relaxed text-kumo-subtle">{t("noMail")}</p>}
      <ul className="overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line">
        {data.map((invitation) => (
          <InvitationRow key={invitation._id} invitation={invitation} sendsMail={sendsMail} />
        ))}
      </ul>
    </section>
  );
}

interface InvitationRowProps {
  invitation: Invitation;
  sendsMail: boolean;
}

function InvitationRow({ invitation, sendsMail }: InvitationRowProps) {
  const { _id: id, email, role, status, expires_at } = invitation;
  const own = useOwnRole();
  const t = useTranslations("team.invitations");
  const roles = useTranslations("team.roles");
  const resend = useResend();
  const [idempotencyKey, renewKey] = useIdempotencyKey();
  const withdraw = useWithdraw();
  const toasts = useToasts();
  const { confirm } = useDialogs();
  // An address may contain what a shell would run.
  const command = `npm run -s invitation-link -- --email '${email.replaceAll("'", "'\\''")}'`;
  const person = () => <bdi className="font-medium text-kumo-default">{email}</bdi>;

  const askToWithdraw = () =>
    confirm({
      title: t("withdrawTitle"),
      body: <p>{t.rich("withdrawText", { person })}</p>,
      action: t("withdraw"),
      destructive: true,
      run: () => toasts.report(withdraw.mutateAsync(id), { done: t("withdrawn", { email }), failed: t("failed") }),
    });

  const askToResend = () =>
    confirm({
      title: t("sendAgainTitle"),
      body: <p>{t.rich("sendAgainText", { person })}</p>,
      action: t("sendAgain"),
      run: async () => {
        try {
          await resend.mutateAsync({ id, idempotencyKey });
          renewKey();
          toasts.add({ title: t("sentAgain", { email }) });
        } catch (error) {
          renewKey(error);
          toasts.failed(t("failed"), error as Error);
        }
      },
    });

  return (
    <li className="flex min-h-16 items-center gap-3 border-b border-kumo-hairline px-4 py-2.5 last:border-0">
      <div className="min-w-0 flex-1">
        <p className="truncate text-base font-medium text-kumo-strong">{email}</p>
        <p className="text-sm text-kumo-subtle">
          {t.rich(status === "expired" ? "expired" : "openUntil", { when: () => <When at={expires_at} /> })}
        </p>
        {!sendsMail && mayManage(own, role) && (
          <p className="mt-1 flex items-center gap-1">
            <code className="min-w-0 font-mono text-sm wrap-anywhere text-kumo-default">{command}</code>
            <CopyButton text={command} label={t("copyCommand", { email })} />
          </p>
        )}
      </div>
      <span className="shrink-0 text-base text-kumo-default sm:w-24">{roles(`${role}.label`)}</span>
      {mayManage(own, role) ? (
        <RowMenu
          label={t("more", { email })}
          actions={[
            ...(sendsMail
              ? [{ label: t("sendAgain"), icon: PaperPlaneTiltIcon, onClick: () => void askToResend() }]
              : []),
            { label: t("withdraw"), icon: XCircleIcon, destructive: true, onClick: () => void askToWithdraw() },
          ]}
        />
      ) : (
        <span className="w-9 max-sm:hidden" />
      )}
    </li>
  );
}
