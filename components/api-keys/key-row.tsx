"use client";

import { ArrowsClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ArrowsClockwise";
import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { ClockCountdownIcon } from "@phosphor-icons/react/dist/ssr/ClockCountdown";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { ConfirmAction } from "@/components/shell/confirm-action";
import { useIdempotencyKey, wasRefused } from "@/components/shell/idempotency-key";
import { useMay, useOwnRole } from "@/components/shell/may";
import { type Look, Pill } from "@/components/shell/pill";
import { RowMenu } from "@/components/shell/row-menu";
import { When } from "@/components/shell/when";
import { Field, NativeSelect } from "@/components/ui/field";
import { useToasts } from "@/components/ui/toasts";
import { type ApiKey, apiKeyEndpoints } from "@/lib/api-keys/contract";
import { useRevokeKey, useRotateKey } from "@/lib/api-keys/queries";
import { beyond, roleScopes } from "@/lib/auth/scopes";

const looks: Record<ApiKey["status"] | "rotated", Omit<Look, "label">> = {
  active: { icon: CheckCircleIcon, tone: "good" },
  rotated: { icon: ClockCountdownIcon, tone: "warning" },
  expired: { icon: ClockCountdownIcon, tone: "quiet" },
  revoked: { icon: ProhibitIcon, tone: "quiet" },
};

/** Hours. */
const overlaps = [0, 1, 24, 168] as const;

interface KeyRowProps {
  apiKey: ApiKey;
  /** A rotated key's successor, to be shown once. */
  onShown: (key: string) => void;
}

export function KeyRow({ apiKey, onShown }: KeyRowProps) {
  const t = useTranslations("apiKeys.row");
  const { _id: id, name, hint, scopes, status, last_used_at, expires_at, created_at, replaced_by } = apiKey;
  const [asking, setAsking] = useState<"rotate" | "revoke" | null>(null);
  const [hours, setHours] = useState(24);
  const rotate = useRotateKey();
  // A successor whose answer was lost is still shown by the second try.
  const [idempotencyKey, renewKey] = useIdempotencyKey();
  const revoke = useRevokeKey();
  /** What was asked for may have been done, and has to be asked for again as it was. */
  const unanswered = rotate.isError && !wasRefused(rotate.error);
  const toasts = useToasts();
  const may = useMay();
  // Its successor may do what it may: nobody gives a key more than they have.
  const within = beyond(roleScopes[useOwnRole()], scopes).length === 0;
  const usable = status === "active";
  const shown = usable && replaced_by ? "rotated" : status;
  const after = {
    onError: (error: Error) => {
      renewKey(error);
      toasts.failed(t("failed"), error);
      if (wasRefused(error)) setAsking(null); // else it can be tried again, and shows the successor that may have been made
    },
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
          <Pill label={t(`status.${shown}`)} {...looks[shown]} />
        </p>
        <p className="font-mono text-sm text-kumo-default">{hint}</p>
        <p className="text-sm wrap-anywhere text-kumo-subtle">{scopes.join(", ")}</p>
        <p className="text-sm text-kumo-subtle">
          <Facts>
            {t.rich("created", { when: () => <When at={created_at} /> })}
            {last_used_at ? t.rich("lastUsed", { when: () => <When at={last_used_at} /> }) : t("neverUsed")}
            {usable && expires_at && t.rich("until", { when: () => <When at={expires_at} /> })}
          </Facts>
        </p>
      </div>
      {usable && (
        <RowMenu
          label={t("more", { name })}
          actions={[
            may(apiKeyEndpoints.rotate) &&
              within &&
              !replaced_by && { label: t("rotate"), icon: ArrowsClockwiseIcon, onClick: () => setAsking("rotate") },
            may(apiKeyEndpoints.remove) && {
              label: t("revoke"),
              icon: ProhibitIcon,
              destructive: true,
              onClick: () => setAsking("revoke"),
            },
          ]}
        />
      )}
      <ConfirmAction
        {...confirm("rotate")}
        title={t("rotateTitle")}
        action={t("rotate")}
        busy={rotate.isPending}
        onConfirm={() =>
          rotate.mutate(
            { id, overlap_hours: hours, idempotencyKey },
            {
              ...after,
              onSuccess: ({ key }) => {
                setAsking(null);
                onShown(key);
              },
            },
          )
        }
      >
        <p>{t("rotateText", { name })}</p>
        <Field label={t("overlap")}>
          {(control) => (
            <NativeSelect
              {...control}
              value={hours}
              disabled={unanswered}
              onChange={({ target }) => setHours(Number(target.value))}
            >
              {overlaps.map((value) => (
                <option key={value} value={value}>
                  {t(`overlaps.${value}`)}
                </option>
              ))}
            </NativeSelect>
          )}
        </Field>
      </ConfirmAction>
      <ConfirmAction
        {...confirm("revoke")}
        title={t("revokeTitle")}
        action={t("revoke")}
        destructive
        busy={revoke.isPending}
        onConfirm={() =>
          revoke.mutate(id, {
            ...after,
            onSuccess: () => {
              setAsking(null);
              toasts.add({ title: t("revoked", { name }) });
            },
          })
        }
      >
        <p>{t("revokeText", { name })}</p>
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
