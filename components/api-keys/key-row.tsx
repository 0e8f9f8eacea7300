"use client";

import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { pageOf } from "@/components/shell/pages";
import { Link } from "@/components/ui/link";
import { When } from "@/components/ui/when";
import type { ApiKey } from "@/lib/resources/api-keys/contract";
import { KeyMenu } from "./key-menu";
import { KeyBadge } from "./words";

export function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const t = useTranslations("apiKeys.row");
  const { _id: id, name, hint, scopes, status, last_used_at, expires_at, created_at } = apiKey;
  return (
    <li className="flex items-start gap-3 border-b border-kumo-hairline px-4 py-3 last:border-0">
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link
            href={pageOf(id) ?? ""}
            className="min-w-0 text-base font-medium wrap-anywhere text-kumo-strong row-link"
          >
            {name}
          </Link>
          <KeyBadge apiKey={apiKey} />
        </p>
        <p className="font-mono text-sm text-kumo-default">{hint}</p>
        <p className="text-sm wrap-anywhere text-kumo-subtle">{scopes.join(", ")}</p>
        <p className="text-sm text-kumo-subtle">
          <Facts>
            {t.rich("created", { when: () => <When at={created_at} /> })}
            {last_used_at ? t.rich("lastUsed", { when: () => <When at={last_used_at} /> }) : t("neverUsed")}
            {status === "active" && expires_at && t.rich("until", { when: () => <When at={expires_at} /> })}
          </Facts>
        </p>
      </div>
      <KeyMenu apiKey={apiKey} />
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
