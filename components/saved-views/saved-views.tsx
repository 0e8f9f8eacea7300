import { BookmarkSimpleIcon } from "@phosphor-icons/react/dist/ssr/BookmarkSimple";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import type { ListAddress } from "@/components/ui/list/use-address";
import { onDemand } from "@/components/ui/on-demand";
import { PopupButton } from "@/components/ui/popup-button";
import { useSavedViews } from "@/lib/resources/account/queries";
import type { ViewList } from "@/lib/resources/account/saved-views-contract";
import { viewQueryOf } from "./lists";

const ViewsPopup = onDemand(() => import("./views-popup").then(({ ViewsPopup }) => ViewsPopup));

interface SavedViewsProps {
  list: ViewList;
  address: Pick<ListAddress, "filter" | "show">;
}

/** The button beside a list's filters. It names the view that is shown, and opens the menu of all. */
export function SavedViews({ list, address: { filter, show } }: SavedViewsProps) {
  const t = useTranslations("savedViews");
  const { data } = useSavedViews(list);
  const query = viewQueryOf(filter);
  const current = data?.rows.find((view) => view.query === query);
  const trigger = (
    <Button
      variant="secondary"
      icon={<BookmarkSimpleIcon size={16} weight={current ? "fill" : "regular"} />}
      aria-label={current && t("current", { name: current.name })}
      className="max-w-full min-w-0"
    >
      <span className="truncate">{current?.name ?? t("button")}</span>
    </Button>
  );
  return (
    <PopupButton opens="menu" trigger={trigger}>
      {(popup) => <ViewsPopup {...popup} {...{ list, query, current, show }} views={data?.rows ?? []} />}
    </PopupButton>
  );
}
