"use client";

import { DropdownMenu } from "@cloudflare/kumo/components/dropdown";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { PaperPlaneTiltIcon } from "@phosphor-icons/react/dist/ssr/PaperPlaneTilt";
import { XCircleIcon } from "@phosphor-icons/react/dist/ssr/XCircle";
import { RowMenu } from "@/components/shell/row-menu";
import { explainFailure } from "@/components/ui/explain-failure";
import { When } from "@/components/ui/when";
import { appointable, type Role } from "@/lib/auth/scopes";
import { useInvitations, useResend, useWithdraw } from "@/lib/team/queries";
import { roleLabels } from "./words";

/** Who has been asked and has not come yet. Nothing, where there is nobody. */
export function Invitations({ role: own, onSent }: { role: Role; onSent: (url: string) => void }) {
  const { data } = useInvitations();
  const resend = useResend();
  const withdraw = useWithdraw();
  const toasts = useKumoToastManager();
  if (!data || data.length === 0) return null;
  const onError = (error: Error) =>
    toasts.add({ title: "That did not work", description: explainFailure(error), variant: "error" });
  return (
    <section aria-label="Invitations" className="mt-8">
      <h2 className="mb-3 text-[15px] font-semibold text-kumo-strong">Invited</h2>
      <ul className="overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line">
        {data.map(({ _id, email, role, status, expires_at }) => (
          <li
            key={_id}
            className="flex min-h-16 items-center gap-3 border-b border-kumo-hairline px-4 py-2.5 last:border-0"
          >
            <div className="min-w-0 flex-1">
              <p className="truncate text-base font-medium text-kumo-strong">{email}</p>
              <p className="text-sm text-kumo-subtle">
                {status === "expired" ? "Expired" : "Open until"} <When at={expires_at} />
              </p>
            </div>
            <span className="shrink-0 text-base text-kumo-default sm:w-24">{roleLabels[role]}</span>
            {appointable(own, role) ? (
              <RowMenu label={`More for ${email}`}>
                <DropdownMenu.Item
                  icon={PaperPlaneTiltIcon}
                  onClick={() => resend.mutate(_id, { onSuccess: ({ accept_url }) => onSent(accept_url), onError })}
                >
                  Send again
                </DropdownMenu.Item>
                <DropdownMenu.Item
                  icon={XCircleIcon}
                  variant="danger"
                  onClick={() =>
                    withdraw.mutate(_id, { onSuccess: () => toasts.add({ title: `Withdrawn: ${email}` }), onError })
                  }
                >
                  Withdraw
                </DropdownMenu.Item>
              </RowMenu>
            ) : (
              <span className="w-9 max-sm:hidden" />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
