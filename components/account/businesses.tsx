import { useState } from "react";
import { useTranslations } from "use-intl";
import { endSession } from "@/components/shell/end-session";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import { useExplainFailure } from "@/components/ui/explain-failure";
import { LoadFailure, Skeleton } from "@/components/ui/list/list-frame";
import { useToasts } from "@/components/ui/toasts";
import type { OwnBusiness } from "@/lib/resources/account/contract";
import { useLeaveBusiness, useOwnBusinesses } from "@/lib/resources/account/queries";

export function Businesses() {
  const t = useTranslations("account.businesses");
  const roles = useTranslations("team.roles");
  const explainFailure = useExplainFailure();
  const businesses = useOwnBusinesses();
  const leave = useLeaveBusiness();
  const toasts = useToasts();
  const { confirm } = useDialogs();
  const [problem, setProblem] = useState<string | null>(null);

  if (businesses.isPending) return <Skeleton of="single.businesses" />;
  if (businesses.isError) return <LoadFailure of="single.businesses" query={businesses} />;
  const { rows } = businesses.data;

  async function leaveBusiness(business: OwnBusiness): Promise<void> {
    setProblem(null);
    try {
      if (business.current) return await endSession(() => leave.mutateAsync(business));
      const { name } = await leave.mutateAsync(business);
      toasts.add({ title: t("left", { name }) });
    } catch (error) {
      setProblem(explainFailure(error as Error));
    }
  }

  const ask = (business: OwnBusiness) =>
    confirm({
      title: t("leaveTitle", { name: business.name }),
      body: (
        <>
          <p>{t("leaveText")}</p>
          {business.current && <p>{t(rows.length > 1 ? "signedOut" : "signedOutOfAll")}</p>}
        </>
      ),
      action: t("leave"),
      destructive: true,
      run: () => leaveBusiness(business),
    });

  return (
    <div className="grid gap-4">
      <Alert>{problem}</Alert>
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
                onClick={() => void ask(business)}
              >
                {t("leave")}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
