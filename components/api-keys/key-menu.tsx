import { ArrowsClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ArrowsClockwise";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { type ReactNode, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useMay, useOwnRole } from "@/components/shell/may";
import { useDialogs } from "@/components/ui/dialogs";
import { Field, NativeSelect } from "@/components/ui/field";
import { wasRefused } from "@/components/ui/idempotency-key";
import { randomKey } from "@/components/ui/random-key";
import { RowMenu } from "@/components/ui/row-menu";
import { useToasts } from "@/components/ui/toasts";
import { roleScopes, uncoveredScopes } from "@/lib/auth/scopes";
import { type ApiKey, apiKeyEndpoints } from "@/lib/resources/api-keys/contract";
import { useRevokeKey, useRotateKey } from "@/lib/resources/api-keys/queries";

const b = (chunks: ReactNode) => <bdi className="font-medium text-kumo-default">{chunks}</bdi>;

const overlapHours = [0, 1, 24, 168] as const;

export function useShowKey(): (secret: string) => void {
  const t = useTranslations("apiKeys.page");
  const { showSecret } = useDialogs();
  return (secret) => showSecret({ title: t("newKey"), text: t("newKeyText"), secret, copy: t("copy") });
}

interface KeyMenuProps {
  apiKey: ApiKey;
  variant?: "ghost" | "secondary";
}

export function KeyMenu({ apiKey, variant }: KeyMenuProps) {
  const t = useTranslations("apiKeys.row");
  const { _id: id, name, scopes, status, replaced_by } = apiKey;
  const rotate = useRotateKey();
  const revoke = useRevokeKey();
  const toasts = useToasts();
  const { confirm } = useDialogs();
  const showKey = useShowKey();
  /** A rotation whose response was lost: the next try repeats it and shows the key that it may have created. */
  const unanswered = useRef<{ key: string; hours: number } | null>(null);
  const may = useMay();
  // The new key has the same scopes, which must not exceed the user's.
  const withinRole = uncoveredScopes(roleScopes[useOwnRole()], scopes).length === 0;
  if (status !== "active") return null;

  async function askToRotate(): Promise<void> {
    let hours = unanswered.current?.hours ?? 24;
    let successor: string | null = null;
    await confirm({
      title: t("rotateTitle"),
      body: (
        <>
          <p>{t.rich("rotateText", { name, b })}</p>
          <Overlap
            initial={hours}
            isFixed={() => unanswered.current !== null}
            onChange={(chosen) => {
              hours = chosen;
            }}
          />
        </>
      ),
      action: t("rotate"),
      run: async () => {
        unanswered.current ??= { key: randomKey(), hours };
        const { key: idempotencyKey, hours: overlap_hours } = unanswered.current;
        try {
          successor = (await rotate.mutateAsync({ id, overlap_hours, idempotencyKey })).key;
          unanswered.current = null;
        } catch (error) {
          toasts.failed(t("failed"), error as Error);
          if (!wasRefused(error)) return "retry";
          unanswered.current = null;
        }
      },
    });
    if (successor) showKey(successor);
  }

  const askToRevoke = () =>
    confirm({
      title: t("revokeTitle"),
      body: <p>{t.rich("revokeText", { name, b })}</p>,
      action: t("revoke"),
      destructive: true,
      run: async () => {
        try {
          await revoke.mutateAsync(id);
          toasts.add({ title: t("revoked", { name }) });
        } catch (error) {
          toasts.failed(t("failed"), error as Error);
          if (!wasRefused(error)) return "retry";
        }
      },
    });

  return (
    <RowMenu
      label={t("more", { name })}
      variant={variant}
      actions={[
        may(apiKeyEndpoints.rotate) &&
          withinRole &&
          !replaced_by && { label: t("rotate"), icon: ArrowsClockwiseIcon, onClick: () => void askToRotate() },
        may(apiKeyEndpoints.remove) && {
          label: t("revoke"),
          icon: ProhibitIcon,
          destructive: true,
          onClick: () => void askToRevoke(),
        },
      ]}
    />
  );
}

interface OverlapProps {
  initial: number;
  isFixed: () => boolean;
  onChange: (hours: number) => void;
}

/** A repeated try keeps the hours of the first. */
function Overlap({ initial, isFixed, onChange }: OverlapProps) {
  const t = useTranslations("apiKeys.row");
  const [hours, setHours] = useState(initial);
  return (
    <Field label={t("overlap")}>
      {(control) => (
        <NativeSelect
          {...control}
          value={hours}
          disabled={isFixed()}
          onChange={({ target }) => {
            setHours(Number(target.value));
            onChange(Number(target.value));
          }}
        >
          {overlapHours.map((value) => (
            <option key={value} value={value}>
              {t(`overlaps.${value}`)}
            </option>
          ))}
        </NativeSelect>
      )}
    </Field>
  );
}
