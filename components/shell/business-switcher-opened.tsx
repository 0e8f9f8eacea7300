import { DropdownMenu } from "@cloudflare/kumo/components/dropdown";
import { CheckIcon } from "@phosphor-icons/react/dist/ssr/Check";
import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { type Reached, useReached } from "@/components/ui/later";
import { Sheet } from "@/components/ui/sheet";
import { sheetPart } from "@/components/ui/sheet-part";
import { useToasts } from "@/components/ui/toasts";
import { mayLeave, stay } from "@/components/ui/unsaved";
import type { OwnBusiness } from "@/lib/resources/account/contract";
import { useEnterBusiness } from "@/lib/resources/account/queries";
import { useOwnCurrency } from "@/lib/resources/settings/queries";

const CreateBusiness = sheetPart(() => import("./create-business").then(({ CreateBusiness }) => CreateBusiness));

interface BusinessSwitcherOpenedProps extends Reached {
  businesses: OwnBusiness[];
  canCreate: boolean;
}

export function BusinessSwitcherOpened({ businesses, canCreate, ...reached }: BusinessSwitcherOpenedProps) {
  const t = useTranslations("shell.businessSwitcher");
  const trigger = useReached(reached);
  const enter = useEnterBusiness();
  const toasts = useToasts();
  const currency = useOwnCurrency();
  const [creating, setCreating] = useState(false);
  // The menu opens inside the header, a landmark, and not at the body's end, where menus go by default.
  const landmark = useRef<HTMLDivElement>(null);

  async function go(id: string): Promise<void> {
    if (!(await mayLeave())) return;
    enter.mutate(id, {
      // A whole page load: nothing that was fetched for the other business stays in memory.
      onSuccess: () => window.location.assign("/"),
      onError: (error) => {
        stay();
        toasts.failed(t("failed"), error);
      },
    });
  }

  function change(open: boolean): void {
    setCreating(open);
    if (!open) stay();
  }

  return (
    <div ref={landmark} className="relative z-10 flex min-w-0">
      <DropdownMenu>
        <DropdownMenu.Trigger render={trigger} />
        <DropdownMenu.Content
          align="start"
          className="max-w-[min(20rem,calc(100vw-2rem))] min-w-56"
          container={landmark}
        >
          {businesses.map(({ _id, name: label, current }) => (
            <DropdownMenu.Item
              key={_id}
              icon={current ? CheckIcon : undefined}
              onClick={() => !current && void go(_id)}
            >
              {label}
            </DropdownMenu.Item>
          ))}
          {canCreate && businesses.length > 0 && <DropdownMenu.Separator />}
          {canCreate && (
            // Once it is made the page is left, with whatever is typed in it.
            <DropdownMenu.Item icon={PlusIcon} onClick={() => void mayLeave().then((yes) => yes && change(true))}>
              {t("create")}
            </DropdownMenu.Item>
          )}
        </DropdownMenu.Content>
      </DropdownMenu>
      <Sheet open={creating} onOpenChange={change} title={t("create")}>
        {currency && <CreateBusiness currency={currency} />}
      </Sheet>
    </div>
  );
}
