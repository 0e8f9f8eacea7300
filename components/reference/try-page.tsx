"use client";

import { KeyIcon } from "@phosphor-icons/react/dist/ssr/Key";
import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { DetailHead, Panel } from "@/components/ui/detail";
import { useExplainFailure } from "@/components/ui/explain-failure";
import { Field, NativeSelect } from "@/components/ui/field";
import { useIdempotencyKey, wasRefused } from "@/components/ui/idempotency-key";
import { NewTabLink, newTab } from "@/components/ui/new-tab-link";
import { useHydrated } from "@/components/ui/use-hydrated";
import { pageMode } from "@/lib/client/call";
import { apiKeyEndpoints } from "@/lib/resources/api-keys/contract";
import { useCreateKey } from "@/lib/resources/api-keys/queries";
import type { CallableSection } from "./callable";
import { type Language, languageNames, languages, sampleIn } from "./samples";

const keyDays = 7;

/** Samples read the key from the environment variable KEY, or contain a test key once the user has created one. */
export function TryPage({ sections }: { sections: CallableSection[] }) {
  const t = useTranslations("reference");
  const may = useMay();
  const hydrated = useHydrated();
  const [chosen, setChosen] = useState("POST /payment-links");
  const [language, setLanguage] = useState<Language>("curl");
  const [key, setKey] = useState<string | null>(null);
  const endpoint = sections.flatMap(({ endpoints }) => endpoints).find(({ name }) => name === chosen);
  if (!endpoint) return null;
  const { request } = endpoint;
  const url = `${hydrated ? window.location.origin : ""}/api${request.url}`;
  const sample = sampleIn(language, { ...request, url, auth: key === null ? request.auth : { key } });
  return (
    <>
      <DetailHead title={t("title")}>
        <NewTabLink href="/docs">
          {t("read")}
          {newTab(t("newTab"))}
        </NewTabLink>
      </DetailHead>
      <div className="grid grid-cols-1 gap-6">
        <Panel title={t("tryIt")}>
          <div className="grid grid-cols-1 gap-4 p-4">
            <Field label={t("what")} hint={endpoint.description ?? t("needsScope", { scope: endpoint.scope })}>
              {(control) => (
                <NativeSelect {...control} value={chosen} onChange={({ target }) => setChosen(target.value)}>
                  {sections.map(({ name, endpoints }) => (
                    <optgroup key={name} label={name}>
                      {endpoints.map((each) => (
                        <option key={each.name} value={each.name}>
                          {each.summary}
                        </option>
                      ))}
                    </optgroup>
                  ))}
                </NativeSelect>
              )}
            </Field>
            <div className="grid grid-cols-1 gap-2">
              <div className="flex items-center justify-between gap-3">
                <NativeSelect
                  aria-label={t("language")}
                  value={language}
                  onChange={({ target }) => setLanguage(languages.find((each) => each === target.value) ?? "curl")}
                  className="w-auto"
                >
                  {languages.map((each) => (
                    <option key={each} value={each}>
                      {languageNames[each]}
                    </option>
                  ))}
                </NativeSelect>
                <CopyButton text={sample} label={t("copySample")} variant="secondary">
                  {t("copy")}
                </CopyButton>
              </div>
              <CodeBlock label={t("sample")} className="max-h-[50vh] rounded-lg bg-kumo-recessed p-4 leading-relaxed">
                {sample}
              </CodeBlock>
            </div>
            {may(apiKeyEndpoints.create) && <TestKey hasKey={key !== null} onCreated={setKey} />}
          </div>
        </Panel>
      </div>
    </>
  );
}

/** The key is kept only in the page's state. */
function TestKey({ hasKey, onCreated }: { hasKey: boolean; onCreated: (key: string) => void }) {
  const explainFailure = useExplainFailure();
  const t = useTranslations("reference");
  const create = useCreateKey();
  const [idempotencyKey, renewKey] = useIdempotencyKey();
  // Unchanged until there is a response: a retry with the same Idempotency-Key needs the same body.
  const expires_at = useRef<string | null>(null);
  if (hasKey)
    return (
      <p role="status" className="text-base text-kumo-subtle">
        {t("created", { days: keyDays })}
      </p>
    );
  if (pageMode() === "live") return <p className="text-base text-kumo-subtle">{t("live")}</p>;

  function createKey(): void {
    expires_at.current ??= new Date(Date.now() + keyDays * 86_400_000).toISOString();
    const body = { name: "API reference", scopes: ["read", "write"], expires_at: expires_at.current };
    const onError = (error: Error) => {
      renewKey(error);
      if (wasRefused(error)) expires_at.current = null;
    };
    create.mutate({ body, idempotencyKey }, { onSuccess: ({ key }) => onCreated(key), onError });
  }

  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-base text-kumo-subtle">{t("yourKey", { days: keyDays })}</p>
      {create.isError && <Alert>{explainFailure(create.error)}</Alert>}
      <Button variant="secondary" icon={<KeyIcon size={16} />} loading={create.isPending} onClick={createKey}>
        {t("createKey")}
      </Button>
    </div>
  );
}
