"use client";

import { ArrowsClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ArrowsClockwise";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { useMay, useOwnRole } from "@/components/shell/may";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { Field, NativeSelect } from "@/components/ui/field";
import { useIdempotencyKey, wasRefused } from "@/components/ui/idempotency-key";
import { RowMenu } from "@/components/ui/row-menu";
import { useToasts } from "@/components/ui/toasts";
import { beyond, roleScopes } from "@/lib/auth/scopes";
import { type ApiKey, apiKeyEndpoints } from "@/lib/resources/api-keys/contract";
import { useRevokeKey, useRotateKey } from "@/lib/resources/api-keys/queries";

const b = (chunks: ReactNode) => <bdi className="font-medium text-kumo-default">{chunks}</bdi>;

/** Hours. */
const overlaps = [0, 1, 24, 168] as const;

export interface KeyMenuProps {
  apiKey: ApiKey;
  variant?: "ghost" | "secondary";
  /** A rotated key's successor, to be shown once. */
  onShown: (key: string) => void;
}

/** What can be done with a key that works. */
export function KeyMenu({ apiKey, variant, onShown }: KeyMenuProps) {
  const t = useTranslations("apiKeys.row");
  const { _id: id, name, scopes, status, replaced_by } = apiKey;
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
    <>
      {status === "active" && (
        <RowMenu
          label={t("more", { name })}
          variant={variant}
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
        <p>{t.rich("rotateText", { name, b })}</p>
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
        <p>{t.rich("revokeText", { name, b })}</p>
      </ConfirmAction>
    </>
  );
}
