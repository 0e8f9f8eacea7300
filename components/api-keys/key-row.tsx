"use client";

import { DropdownMenu } from "@cloudflare/kumo/components/dropdown";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { ArrowsClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ArrowsClockwise";
import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { ClockCountdownIcon } from "@phosphor-icons/react/dist/ssr/ClockCountdown";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { type ReactNode, useState } from "react";
import { ConfirmAction } from "@/components/shell/confirm-action";
import { type Look, Pill } from "@/components/shell/pill";
import { RowMenu } from "@/components/shell/row-menu";
import { explainFailure } from "@/components/ui/explain-failure";
import { Field, NativeSelect } from "@/components/ui/field";
import { When } from "@/components/ui/when";
import type { ApiKey } from "@/lib/api-keys/contract";
import { useRevokeKey, useRotateKey } from "@/lib/api-keys/queries";

const looks: Record<ApiKey["status"], Look> = {
  active: { label: "Active", icon: CheckCircleIcon, tone: "good" },
  expired: { label: "Expired", icon: ClockCountdownIcon, tone: "quiet" },
  revoked: { label: "Revoked", icon: ProhibitIcon, tone: "quiet" },
};

const overlaps = [
  [0, "It stops at once"],
  [1, "An hour more"],
  [24, "A day more"],
  [168, "A week more"],
] as const;

interface KeyRowProps {
  apiKey: ApiKey;
  canWrite: boolean;
  /** A rotated key's successor, to be shown once. */
  onShown: (key: string) => void;
}

export function KeyRow({ apiKey, canWrite, onShown }: KeyRowProps) {
  const { _id: id, name, hint, scopes, status, last_used_at, expires_at, created_at, replaced_by } = apiKey;
  const [asking, setAsking] = useState<"rotate" | "revoke" | null>(null);
  const [hours, setHours] = useState(24);
  const rotate = useRotateKey();
  const revoke = useRevokeKey();
  const toasts = useKumoToastManager();
  const usable = status === "active";
  const after = {
    onError: (error: Error) =>
      toasts.add({ title: "That did not work", description: explainFailure(error), variant: "error" }),
    onSettled: () => setAsking(null),
  };
  const confirm = (what: "rotate" | "revoke") => ({
    open: asking === what,
    onOpenChange: (open: boolean) => setAsking(open ? what : null),
  });
  return (
    <li className="flex items-start gap-3 border-b border-kumo-hairline px-4 py-3 last:border-0">
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 text-base font-medium wrap-anywhere text-kumo-strong">{name}</span>
          <Pill {...looks[status]} />
        </p>
        <p className="font-mono text-sm text-kumo-default">{hint}</p>
        <p className="text-sm wrap-anywhere text-kumo-subtle">{scopes.join(", ")}</p>
        <p className="text-sm text-kumo-subtle">
          <Facts>
            <>
              Created <When at={created_at} />
            </>
            {last_used_at ? (
              <>
                last used <When at={last_used_at} />
              </>
            ) : (
              "never used"
            )}
            {usable && expires_at && (
              <>
                {replaced_by ? "rotated, works" : "works"} until <When at={expires_at} />
              </>
            )}
          </Facts>
        </p>
      </div>
      {canWrite && usable && (
        <RowMenu label={`More for ${name}`}>
          {!replaced_by && (
            <DropdownMenu.Item icon={ArrowsClockwiseIcon} onClick={() => setAsking("rotate")}>
              Rotate
            </DropdownMenu.Item>
          )}
          <DropdownMenu.Item icon={ProhibitIcon} variant="danger" onClick={() => setAsking("revoke")}>
            Revoke
          </DropdownMenu.Item>
        </RowMenu>
      )}
      <ConfirmAction
        {...confirm("rotate")}
        title="Rotate this key?"
        action="Rotate"
        busy={rotate.isPending}
        onConfirm={() =>
          rotate.mutate({ id, overlap_hours: hours }, { ...after, onSuccess: ({ key }) => onShown(key) })
        }
      >
        <p>A new key takes the place of {name}, with the same rights.</p>
        <Field label="How long the old one works">
          {(control) => (
            <NativeSelect {...control} value={hours} onChange={(event) => setHours(Number(event.target.value))}>
              {overlaps.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </NativeSelect>
          )}
        </Field>
      </ConfirmAction>
      <ConfirmAction
        {...confirm("revoke")}
        title="Revoke this key?"
        action="Revoke"
        destructive
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate(id, { ...after, onSuccess: () => toasts.add({ title: `Revoked: ${name}` }) })}
      >
        <p>Whatever uses {name} is refused from now on. This cannot be undone.</p>
      </ConfirmAction>
    </li>
  );
}

/** Some facts on a line, with dots between them. */
function Facts({ children }: { children: ReactNode[] }) {
  return children.filter(Boolean).map((fact, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they never change their order
    <span key={index}>
      {index > 0 && " · "}
      {fact}
    </span>
  ));
}
