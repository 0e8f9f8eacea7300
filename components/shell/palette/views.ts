import { BookmarkSimpleIcon } from "@phosphor-icons/react/dist/ssr/BookmarkSimple";
import { viewPath } from "@/components/saved-views/lists";
import { entries } from "@/components/shell/nav-links";
import { mayCall, type Role } from "@/lib/auth/scopes";
import type { SavedView } from "@/lib/resources/account/saved-views-contract";
import type { TextsOf } from "@/messages/texts-of";
import type { Choice } from "./choice";

/** The person's saved views of the lists that the role may open. */
export const views = (role: Role, saved: SavedView[], t: TextsOf<"palette">, titles: TextsOf<"titles">): Choice[] =>
  saved.flatMap(({ _id, list, name, query }): Choice[] => {
    const entry = entries.find(({ href }) => href === viewPath(list));
    if (!entry || !mayCall(role, entry)) return [];
    return [
      {
        id: _id,
        icon: BookmarkSimpleIcon,
        label: t("commands.view", { name }),
        keywords: titles(entry.title),
        detail: titles(entry.title),
        address: () => `${entry.href}?${query}`,
        isPlace: true,
      },
    ];
  });
