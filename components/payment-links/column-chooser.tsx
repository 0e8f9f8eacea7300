"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { ColumnsIcon } from "@phosphor-icons/react/dist/ssr/Columns";
import { useTranslations } from "use-intl";
import { onReach } from "@/components/ui/later";
import type { Column } from "./filter";

const Opened = onReach("dialog", () =>
  import("./column-chooser-opened").then(({ ColumnChooserOpened }) => ColumnChooserOpened),
);

/** Which columns the table has. Title and amount are always there. */
export function ColumnChooser(props: { columns: Column[]; onChange: (columns: Column[]) => void }) {
  const t = useTranslations("paymentLinks.list");
  const trigger = (
    <Button variant="secondary" icon={<ColumnsIcon size={16} />}>
      {t("chooseColumns")}
    </Button>
  );
  return <Opened trigger={trigger} {...props} />;
}
