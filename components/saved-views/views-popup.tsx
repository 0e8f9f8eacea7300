import { DropdownMenu } from "@cloudflare/kumo/components/dropdown";
import { BookmarkSimpleIcon } from "@phosphor-icons/react/dist/ssr/BookmarkSimple";
import { CheckIcon } from "@phosphor-icons/react/dist/ssr/Check";
import { PencilSimpleIcon } from "@phosphor-icons/react/dist/ssr/PencilSimple";
import { StarIcon } from "@phosphor-icons/react/dist/ssr/Star";
import { TrashIcon } from "@phosphor-icons/react/dist/ssr/Trash";
import { useTranslations } from "use-intl";
import { useDialogs } from "@/components/ui/dialogs";
import type { ListAddress } from "@/components/ui/list/use-address";
import { MenuPopup } from "@/components/ui/menu-popup";
import { onDemand } from "@/components/ui/on-demand";
import type { PopupProps } from "@/components/ui/popup-button";
import { useToasts } from "@/components/ui/toasts";
import { useDeleteSavedView, useSaveView } from "@/lib/resources/account/queries";
import type { SavedView, ViewList } from "@/lib/resources/account/saved-views-contract";
import { useDefaultChanged } from "./use-default-changed";

const ViewForm = onDemand(() => import("./view-form").then(({ ViewForm }) => ViewForm));

interface ViewsPopupProps extends PopupProps {
  list: ViewList;
  /** The list's current filters, order and columns, as a view's query. */
  query: string;
  /** The view that has this query. */
  current: SavedView | undefined;
  views: SavedView[];
  show: ListAddress["show"];
}

export function ViewsPopup({ list, query, current, views, show, ...popup }: ViewsPopupProps) {
  const t = useTranslations("savedViews");
  const { openSheet, confirm } = useDialogs();
  const toasts = useToasts();
  const save = useSaveView();
  const remove = useDeleteSavedView();
  const defaultChanged = useDefaultChanged();
  const open = (view: SavedView) => show(Object.fromEntries(new URLSearchParams(view.query)), "push");

  const openForm = (view: SavedView | null) =>
    openSheet({
      title: t(view ? "renameTitle" : "saveTitle"),
      content: (close) => <ViewForm {...{ list, query, view, views }} onSaved={close} />,
    });

  async function chooseDefault({ is_default, name, ...view }: SavedView): Promise<void> {
    const body = { name, query: view.query, is_default: !is_default };
    const texts = { done: t(is_default ? "notDefault" : "isDefault", { name }), failed: t("saveFailed") };
    if (await toasts.report(save.mutateAsync({ id: view._id, body }), texts)) defaultChanged();
  }

  const askToDelete = ({ _id, name, is_default }: SavedView) =>
    confirm({
      title: t("deleteTitle", { name }),
      body: <p>{t("deleteText")}</p>,
      action: t("delete"),
      destructive: true,
      run: async () => {
        const texts = { done: t("deleted", { name }), failed: t("deleteFailed") };
        if ((await toasts.report(remove.mutateAsync(_id), texts)) && is_default) defaultChanged();
      },
    });

  return (
    <MenuPopup {...popup} align="start" className="max-w-[min(20rem,calc(100vw-2rem))] min-w-56">
      <DropdownMenu.Group>
        <DropdownMenu.Label>{t("button")}</DropdownMenu.Label>
        <DropdownMenu.Item icon={query === "" ? CheckIcon : undefined} onClick={() => show({}, "push")}>
          {t("all")}
        </DropdownMenu.Item>
        {views.map((view) => (
          <DropdownMenu.Item key={view._id} icon={view === current ? CheckIcon : undefined} onClick={() => open(view)}>
            <span className="min-w-0 wrap-anywhere">{view.name}</span>
            {view.is_default && <span className="ml-auto pl-3 text-sm text-kumo-subtle">{t("default")}</span>}
          </DropdownMenu.Item>
        ))}
      </DropdownMenu.Group>
      {query !== "" && <DropdownMenu.Separator />}
      {query !== "" && !current && (
        <DropdownMenu.Item icon={BookmarkSimpleIcon} onClick={() => openForm(null)}>
          {t("save")}
        </DropdownMenu.Item>
      )}
      {current && (
        <>
          <DropdownMenu.Item icon={PencilSimpleIcon} onClick={() => openForm(current)}>
            {t("rename")}
          </DropdownMenu.Item>
          <DropdownMenu.Item icon={StarIcon} onClick={() => void chooseDefault(current)}>
            {t(current.is_default ? "endDefault" : "makeDefault")}
          </DropdownMenu.Item>
          <DropdownMenu.Item icon={TrashIcon} variant="danger" onClick={() => void askToDelete(current)}>
            {t("delete")}
          </DropdownMenu.Item>
        </>
      )}
      {query === "" && <p className="max-w-64 px-2 py-1.5 text-sm text-kumo-subtle">{t("hint")}</p>}
    </MenuPopup>
  );
}
