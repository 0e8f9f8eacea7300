"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { useState } from "react";
import { StatusFilter } from "@/components/shell/list/filters";
import { ListFrame } from "@/components/shell/list/list-frame";
import { useListAddress } from "@/components/shell/list/use-list-address";
import { ShownOnce } from "@/components/shell/shown-once";
import { Notice } from "@/components/ui/notice";
import { Sheet } from "@/components/ui/sheet";
import { shownMode } from "@/lib/api/client";
import { type ApiKeyFilter, useApiKeys } from "@/lib/api-keys/queries";
import { allows, type Role, roleScopes } from "@/lib/auth/scopes";
import { KeyForm } from "./key-form";
import { KeyRow } from "./key-row";

const labels = { true: "In use", false: "No longer" } as const;

function readFilter(params: URLSearchParams): ApiKeyFilter {
  const usable = params.get("usable");
  const cursor = params.get("cursor");
  return { ...((usable === "true" || usable === "false") && { usable }), ...(cursor && { cursor }) };
}

/** The keys of the mode that the page shows. */
export function KeysPage({ role }: { role: Role }) {
  const { filter, show } = useListAddress(readFilter);
  const keys = useApiKeys(filter);
  const [open, setOpen] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const canWrite = allows(roleScopes[role], "api_keys:write");
  const create = canWrite ? (
    <Button variant="primary" icon={<PlusIcon size={16} weight="bold" />} onClick={() => setOpen(true)}>
      Create API key
    </Button>
  ) : null;
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">API keys</h1>
        {create}
      </div>
      <div className="mb-4">
        <StatusFilter labels={labels} status={filter.usable} onChange={(usable) => show({ usable }, "replace")} />
      </div>
      <ListFrame
        rows={keys}
        nouns={["key", "keys"]}
        filter={filter}
        asked={filter.usable ? ["that state"] : []}
        onShow={show}
        empty={
          <Notice title={`No ${shownMode()} keys yet`} action={create}>
            A key lets a system of yours call the API in {shownMode()} mode. Make one for each system, with no more than
            it needs.
          </Notice>
        }
      >
        {(rows) => (
          <ul aria-label="API keys" className="overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line">
            {rows.map((key) => (
              <KeyRow key={key._id} apiKey={key} canWrite={canWrite} onShown={setSecret} />
            ))}
          </ul>
        )}
      </ListFrame>
      <Sheet open={open} onOpenChange={setOpen} title={`Create a ${shownMode()} key`}>
        <KeyForm
          role={role}
          onCreated={(key) => {
            setOpen(false);
            setSecret(key);
          }}
        />
      </Sheet>
      <ShownOnce title="Your new key" secret={secret} what="key" onDone={() => setSecret(null)}>
        Put it where your system keeps its secrets. It is shown now and never again.
      </ShownOnce>
    </>
  );
}
