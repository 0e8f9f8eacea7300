import { DropdownMenu } from "@cloudflare/kumo/components/dropdown";
import { CheckIcon } from "@phosphor-icons/react/dist/ssr/Check";
import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { useTranslations } from "use-intl";
import { useDialogs } from "@/components/ui/dialogs";
import { MenuPopup } from "@/components/ui/menu-popup";
import { onDemand } from "@/components/ui/on-demand";
import type { PopupProps } from "@/components/ui/popup-button";
import { mayLeave, stay } from "@/components/ui/unsaved";
import type { OwnBusiness } from "@/lib/resources/account/contract";
import { useOwnCurrency } from "@/lib/resources/settings/queries";
import { useSwitchBusiness } from "./open-elsewhere";

const CreateBusiness = onDemand(() => import("./create-business").then(({ CreateBusiness }) => CreateBusiness));

interface BusinessSwitcherPopupProps extends PopupProps {
  businesses: OwnBusiness[];
  canCreate: boolean;
}

export function BusinessSwitcherPopup({ businesses, canCreate, ...popup }: BusinessSwitcherPopupProps) {
  const t = useTranslations("shell.businessSwitcher");
  const [enter] = useSwitchBusiness();
  const currency = useOwnCurrency();
  const { openSheet } = useDialogs();

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
          onClick={() => !current && void enter(_id, "/")}
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
