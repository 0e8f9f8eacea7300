import { Suspense, useState } from "react";
import { useTimeZone, useTranslations } from "use-intl";
import { useMode } from "@/components/shell/may";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { contractResolver } from "@/components/ui/contract-form";
import { CopyButton } from "@/components/ui/copy-button";
import { Fact, MomentFact } from "@/components/ui/detail";
import { useDialogs } from "@/components/ui/dialogs";
import { useExplainFailure } from "@/components/ui/explain-failure";
import { TextField } from "@/components/ui/form-fields";
import { LoadFailure, Skeleton } from "@/components/ui/list/list-frame";
import { momentWords } from "@/components/ui/moment";
import { LoadBoundary, onDemand } from "@/components/ui/on-demand";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import {
  type GatewayAccount,
  gatewayAccountEndpoints,
  gatewayAccountInput,
} from "@/lib/resources/gateway-accounts/contract";
import { useConnect, useConnectedAccount, useDisconnect } from "@/lib/resources/gateway-accounts/queries";
import { SectionForm } from "./section-form";

const BalanceProblem = onDemand(() => import("./balance-problem").then(({ BalanceProblem }) => BalanceProblem));

export function Gateway() {
  const t = useTranslations("settings.gateway");
  const mode = useMode();
  const account = useConnectedAccount();
  const [times, setTimes] = useState(0);
  const [replacing, setReplacing] = useState(false);
  if (account.isPending) return <Skeleton of="single.gateway" />;
  if (account.isError) return <LoadFailure of="single.gateway" query={account} />;
  return (
    <div className="grid gap-5">
      {account.data ? (
        <Connected account={account.data} onReplace={() => setReplacing(!replacing)} replacing={replacing} />
      ) : (
        <p className="text-base text-kumo-default">{mode === "test" ? t("noneTest") : t("noneLive")}</p>
      )}
      {(!account.data || replacing) && (
        <ConnectForm
          key={times}
          onDone={() => {
            setTimes(times + 1); // a new form without the keys
            setReplacing(false);
          }}
        />
      )}
    </div>
  );
}

interface ConnectedProps {
  account: GatewayAccount;
  replacing: boolean;
  onReplace: () => void;
}

function Connected({ account, replacing, onReplace }: ConnectedProps) {
  const explainFailure = useExplainFailure();
  const t = useTranslations("settings.gateway");
  const { _id, external_id, key_last4, webhook_url, updated_at, broken_at, broken_code, refused_calls, needs_https } =
    account;
  const mode = useMode();
  const zone = useTimeZone() ?? "UTC";
  const disconnect = useDisconnect();
  const toasts = useToasts();
  const { confirm } = useDialogs();
  const ask = () =>
    confirm({
      title: t("disconnectTitle"),
      body: (
        <>
          <p>{mode === "test" ? t("toSandbox") : t("noPayments")}</p>
          <p>{t("keysStay")}</p>
        </>
      ),
      action: t("disconnect"),
      destructive: true,
      run: () =>
        disconnect.mutateAsync(_id).then(
          () => toasts.add({ title: t("disconnected") }),
          () => undefined, // the form shows the failure
        ),
    });
  return (
    <div className="grid gap-4 rounded-xl bg-kumo-base p-4 ring ring-kumo-line">
      <Alert>{disconnect.error && explainFailure(disconnect.error)}</Alert>
      <Alert>
        {broken_at &&
          t(refused_calls.includes("key") ? "broken" : "brokenPart", {
            since: momentWords(broken_at, zone, true),
            code: broken_code ? ` (${broken_code})` : "",
          })}
      </Alert>
      <Alert>{needs_https && t("needsHttps")}</Alert>
      {!refused_calls.includes("key") && (
        <LoadBoundary>
          <Suspense fallback={null}>
            <BalanceProblem accountId={_id} />
          </Suspense>
        </LoadBoundary>
      )}
      <dl className="grid gap-x-6 gap-y-3 text-base sm:grid-cols-2">
        <Fact term={t("account")}>
          <span className="font-mono text-sm wrap-anywhere">{external_id}</span>
        </Fact>
        <Fact term={t("key")}>
          <span className="font-mono text-sm">…{key_last4}</span>
        </Fact>
        <MomentFact term={t("since")} at={updated_at} />
        <div className="min-w-0 sm:col-span-2">
          <dt className="text-sm text-kumo-subtle">{t("calls")}</dt>
          <dd className="mt-0.5 flex flex-wrap items-center gap-2">
            <span className="min-w-0 font-mono text-sm wrap-anywhere">{webhook_url}</span>
            <CopyButton text={webhook_url} label={t("copyAddress")} variant="secondary">
              {t("copy")}
            </CopyButton>
          </dd>
        </div>
      </dl>
      <div className="flex flex-wrap gap-2">
        <Button variant={broken_at ? "primary" : "secondary"} aria-expanded={replacing} onClick={onReplace}>
          {t(broken_at ? "reconnect" : "otherKeys")}
        </Button>
        <Button variant="ghost" onClick={() => void ask()}>
          {t("disconnect")}
        </Button>
      </div>
    </div>
  );
}

type Values = { secret_key: string; webhook_secret: string };
const toBody = ({ secret_key, webhook_secret }: Values) => ({
  secret_key: secret_key.trim(),
  webhook_secret: webhook_secret.trim() || null,
});
const resolver = contractResolver<Values>(gatewayAccountInput, toBody, (errors) => ({
  ...errors,
  ...(errors.secret_key && { secret_key: errors.secret_key.map((text) => text.replace("secret_key", "secret key")) }),
}));

function ConnectForm({ onDone }: { onDone: () => void }) {
  const t = useTranslations("settings.gateway");
  const mode = useMode();
  const connect = useConnect();
  const toasts = useToasts();
  const { field, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { secret_key: "", webhook_secret: "" },
    fields: ["secret_key", "webhook_secret"],
    // Needs no idempotency key: connecting the same account twice has no further effect.
    send: async (values) => {
      const { external_id, callbacks } = await connect.mutateAsync(toBody(values));
      const missing = t("callsMissing");
      toasts.add({
        title: t("connected", { account: external_id }),
        description: callbacks === "missing" ? missing : undefined,
      });
      onDone();
    },
  });
  const key = mode === "test" ? "sk_test_…" : "sk_live_…";
  return (
    <SectionForm label={t("account")} action={t("connect")} endpoint={gatewayAccountEndpoints.connect} {...form}>
      <TextField
        {...field("secret_key")}
        label={t("key")}
        hint={t("keyHint")}
        type="password"
        spellCheck={false}
        placeholder={key}
      />
      <TextField
        {...field("webhook_secret")}
        label={t("webhookSecret")}
        optional
        hint={t("webhookSecretHint")}
        type="password"
        spellCheck={false}
        placeholder="whsec_…"
      />
    </SectionForm>
  );
}
