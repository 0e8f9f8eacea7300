import { BuildingsIcon } from "@phosphor-icons/react/dist/ssr/Buildings";
import { FileArrowUpIcon } from "@phosphor-icons/react/dist/ssr/FileArrowUp";
import { FlaskIcon } from "@phosphor-icons/react/dist/ssr/Flask";
import { KeyboardIcon } from "@phosphor-icons/react/dist/ssr/Keyboard";
import { LightningIcon } from "@phosphor-icons/react/dist/ssr/Lightning";
import { PaletteIcon } from "@phosphor-icons/react/dist/ssr/Palette";
import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { SignOutIcon } from "@phosphor-icons/react/dist/ssr/SignOut";
import { UserPlusIcon } from "@phosphor-icons/react/dist/ssr/UserPlus";
import { createPath, creations } from "@/components/shell/creations";
import { themes } from "@/components/shell/theme";
import { mayCall, type Role } from "@/lib/auth/scopes";
import type { Mode } from "@/lib/client/call";
import type { OwnBusiness } from "@/lib/resources/account/contract";
import type { TextsOf } from "@/messages/texts-of";
import type { Choice } from "./choice";

/** What the person may create and change from any page. */
export function commands(role: Role, shown: Mode, businesses: OwnBusiness[], t: TextsOf<"palette">): Choice[] {
  const create = creations
    .filter((creation) => mayCall(role, creation))
    .map(
      ({ list, key }): Choice => ({
        id: createPath(list),
        icon: key === "member" ? UserPlusIcon : PlusIcon,
        label: t(`creations.${key}`),
        keywords: `${t("keywords.create")} ${key === "member" ? t("keywords.member") : ""}`,
        address: () => createPath(list),
      }),
    );
  const importLinks: Choice = {
    id: "/payment-links/import",
    icon: FileArrowUpIcon,
    label: t("commands.importPaymentLinks"),
    keywords: t("keywords.importPaymentLinks"),
    address: () => "/payment-links/import",
  };
  const theme = themes.map(
    (theme): Choice => ({
      id: `theme-${theme}`,
      icon: PaletteIcon,
      label: t(`commands.theme.${theme}`),
      keywords: t("keywords.theme"),
      command: { does: "showTheme", theme },
    }),
  );
  const mode = shown === "test" ? "live" : "test";
  const others = businesses
    .filter(({ current }) => !current)
    .map(
      ({ _id, name }): Choice => ({
        id: `business-${_id}`,
        icon: BuildingsIcon,
        label: t("commands.business", { name }),
        keywords: t("keywords.business"),
        command: { does: "switchBusiness", id: _id },
      }),
    );
  return [
    ...create,
    ...(mayCall(role, { scope: "payment_links:write" }) ? [importLinks] : []),
    ...theme,
    {
      id: "mode",
      icon: mode === "test" ? FlaskIcon : LightningIcon,
      label: t(`commands.mode.${mode}`),
      keywords: t("keywords.mode"),
      command: { does: "switchMode", mode },
    },
    ...others,
    {
      id: "keys",
      icon: KeyboardIcon,
      label: t("commands.keys"),
      keywords: t("keywords.keys"),
      command: { does: "listKeys" },
    },
    {
      id: "sign-out",
      icon: SignOutIcon,
      label: t("commands.signOut"),
      keywords: t("keywords.signOut"),
      command: { does: "signOut" },
    },
  ];
}
