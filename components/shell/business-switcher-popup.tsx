import { DropdownMenu } from "@cloudflare/kumo/components/dropdown";
import { CheckIcon } from "@phosphor-icons/react/dist/ssr/Check";
import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { useTranslations } from "use-intl";
import { useDialogs } from "@/components/ui/dialogs";
import { MenuPopup } from "@/components/ui/menu-popup";
import { onDemand } from "@/components/ui/on-demand";
import type { PopupProps } from "@/components/ui/popup-button";
import { useToasts } from "@/components/ui/toasts";
import { mayLeave, stay } from "@/components/ui/unsaved";
import type { OwnBusiness } from "@/lib/resources/account/contract";
import { useEnterBusiness } from "@/lib/resources/account/queries";
import { useOwnCurrency } from "@/lib/resources/settings/queries";

const CreateBusiness = onDemand(() => import("./create-business").then(({ CreateBusiness }) => CreateBusiness));

interface BusinessSwitcherPopupProps extends PopupProps {
  businesses: OwnBusiness[];
  canCreate: boolean;
}

export function BusinessSwitcherPopup({ businesses, canCreate, ...popup }: BusinessSwitcherPopupProps) {
  const t = useTranslations("shell.businessSwitcher");
  const enter = useEnterBusiness();
  const toasts = useToasts();
  const currency = useOwnCurrency();
  const { openSheet } = useDialogs();

  async function switchTo(id: string): Promise<void> {
    if (!(await mayLeave())) return;
    try {
      await enter.mutateAsync(id);
      // A full page load drops everything that was fetched for the other business.
      window.location.assign("/");
    } catch (error) {
      stay();
      toasts.failed(t("failed"), error as Error);
    }
  }

  async function create(): Promise<void> {
    if (!currency || !(await mayLeave())) return;
    openSheet({ title: t("create"), content: () => <CreateBusiness currency={currency} />, onClosed: stay });
  }

  return (
    <MenuPopup {...popup} align="start" className="max-w-[min(20rem,calc(100vw-2rem))] min-w-56">
      {businesses.map(({ _id, name, current }) => (
        <DropdownMenu.Item
          key={_id}
          icon={current ? CheckIcon : undefined}
          onClick={() => !current && void switchTo(_id)}
        >
          {name}
        </DropdownMenu.Item>
      ))}
      {canCreate && businesses.length > 0 && <DropdownMenu.Separator />}
      {canCreate && (
        <DropdownMenu.Item icon={PlusIcon} onClick={() => void create()}>
          {t("create")}
        </DropdownMenu.Item>
      )}
    </MenuPopup>
  );
}
