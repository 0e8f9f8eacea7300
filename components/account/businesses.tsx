"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { Alert } from "@/components/ui/alert";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { useExplainFailure } from "@/components/ui/explain-failure";
import { LoadFailure, Skeleton } from "@/components/ui/list/list-frame";
import { useToasts } from "@/components/ui/toasts";
import { useMutation } from "@/lib/client/use-mutation";
import type { OwnBusiness } from "@/lib/resources/account/contract";
import { useLeaveBusiness, useOwnBusinesses } from "@/lib/resources/account/queries";
import { endingSession } from "./ending-session";

/** Where the person is a member, as what, and the way out. */
export function Businesses() {
  const t = useTranslations("account.businesses");
  const roles = useTranslations("team.roles");
  const explainFailure = useExplainFailure();
  const businesses = useOwnBusinesses();
  const leave = useLeaveBusiness();
  const toasts = useToasts();
  const [wanted, setWanted] = useState<OwnBusiness | null>(null);

  const go = useMutation({
    mutationFn: async (business: OwnBusiness) => {
      if (business.current) return endingSession(() => leave.mutateAsync(business));
      const { name } = await leave.mutateAsync(business);
      toasts.add({ title: t("left", { name }) });
    },
    onSettled: () => setWanted(null),
  });

  if (businesses.isPending) return <Skeleton of="single.businesses" />;
  if (businesses.isError) return <LoadFailure of="single.businesses" query={businesses} />;
  const { rows } = businesses.data;
  return (
    <div className="grid gap-4">
      <Alert>{go.error && explainFailure(go.error)}</Alert>
      <ul aria-label={t("label")} className="w-full overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line">
        {rows.map((business) => (
          <li
            key={business._id}
            className="flex min-h-16 items-center gap-4 border-b border-kumo-hairline px-4 py-2.5 last:border-0"
          >
            <div className="min-w-0 flex-1">
              <p className="text-base font-medium wrap-anywhere text-kumo-strong">{business.name}</p>
              <p className="text-sm text-kumo-subtle">
                {roles(`${business.role}.label`)}
                {business.current && ` · ${t("current")}`}
              </p>
              {business.only_owner && <p className="text-sm text-kumo-subtle">{t("onlyOwner")}</p>}
            </div>
            {!business.only_owner && (
              <Button
                variant="secondary"
                size="sm"
                aria-label={t("leaveNamed", { name: business.name })}
                onClick={() => setWanted(business)}
              >
                {t("leave")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ConfirmAction
        open={wanted !== null}
        onOpenChange={(open) => !open && setWanted(null)}
        title={t("leaveTitle", { name: wanted?.name ?? "" })}
        action={t("leave")}
        destructive
        busy={go.isPending}
        onConfirm={() => wanted && go.mutate(wanted)}
      >
        <p>{t("leaveText")}</p>
        {wanted?.current && <p>{t(rows.length > 1 ? "signedOut" : "signedOutOfAll")}</p>}
      </ConfirmAction>
    </div>
  );
}
