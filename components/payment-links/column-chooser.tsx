"use client";

import { ColumnsIcon } from "@phosphor-icons/react/dist/ssr/Columns";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { onDemand } from "@/components/ui/on-demand";
import { PopupButton } from "@/components/ui/popup-button";
import type { Column } from "./filter";

const ColumnChooserPopup = onDemand(() =>
  import("./column-chooser-popup").then(({ ColumnChooserPopup }) => ColumnChooserPopup),
);

/** Which columns the table has. Title and amount are always there. */
export function ColumnChooser(props: { columns: Column[]; onChange: (columns: Column[]) => void }) {
  const t = useTranslations("paymentLinks.list");
  const trigger = (
    <Button variant="secondary" icon={<ColumnsIcon size={16} />}>
      {t("chooseColumns")}
    </Button>
  );
  return (
    <PopupButton opens="dialog" trigger={trigger}>
      {(popup) => <ColumnChooserPopup {...popup} {...props} />}
    </PopupButton>
  );
}
