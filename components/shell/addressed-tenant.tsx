"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { Mode } from "@/lib/client/call";
import { useOwnBusinesses } from "@/lib/resources/account/queries";
import { isMode, switchMode } from "./mode";
import { useSwitchBusiness } from "./open-elsewhere";

interface AddressedTenantProps {
  mode: Mode;
  business: { id: number; name: string };
  children: ReactNode;
}

/**
 * Opens a page in the mode and business that its address names (lib/outbox/mail/dashboard-link.ts), then removes both
 * from the address. It switches the mode without asking. It asks before it switches the business, which affects all
 * open tabs: any site may link here (docs/decisions/0010-addresses-with-a-place.md).
 */
export function AddressedTenant({ mode, business, children }: AddressedTenantProps) {
  const t = useTranslations("shell.elsewhere");
  const path = usePathname();
  const params = useSearchParams();
  const businesses = useOwnBusinesses();
  const [enter, entering] = useSwitchBusiness();
  const named = { mode: params.get("mode"), business: params.get("business") };
  const wrongMode = isMode(named.mode) && named.mode !== mode;
  const wrongBusiness = named.business !== null && named.business !== String(business.id);
  const other = wrongBusiness ? businesses.data?.rows.find(({ _id }) => _id === named.business) : undefined;
  // Until the user's businesses are known.
  const isPending = wrongMode || (wrongBusiness && businesses.isPending);
  const done = !isPending && !other && (named.mode !== null || named.business !== null);

  useEffect(() => {
    if (wrongMode) switchMode(named.mode as Mode, without(path, params, ["mode"]));
    else if (done) window.history.replaceState(null, "", without(path, params, ["mode", "business"]));
  }, [wrongMode, done, named.mode, path, params]);

  if (isPending) return null;
  if (!other) return children;
  const address = without(path, params, ["mode", "business"]);
  return (
    <Notice
      as="h1"
      title={t("title", { business: other.name })}
      action={
        <div className="flex max-w-full flex-wrap justify-center gap-2">
          <Button
            variant="primary"
            className="max-w-full"
            loading={entering !== null}
            onClick={() => void enter(other._id, address)}
          >
            <span className="truncate">{t("switch", { business: other.name })}</span>
          </Button>
          <Button
            variant="secondary"
            className="max-w-full"
            onClick={() => window.history.replaceState(null, "", address)}
          >
            <span className="truncate">{t("stay", { shown: business.name })}</span>
          </Button>
        </div>
      }
    >
      {t("text", { shown: business.name })}
    </Notice>
  );
}

function without(path: string, params: URLSearchParams, names: string[]): string {
  const rest = new URLSearchParams(params);
  for (const name of names) rest.delete(name);
  return rest.size > 0 ? `${path}?${rest}` : path;
}
