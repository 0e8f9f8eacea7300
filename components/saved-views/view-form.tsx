import { useWatch } from "react-hook-form";
import { useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { TextField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { useCreateSavedView, useSaveView } from "@/lib/resources/account/queries";
import { type SavedView, savedViewUpdate, type ViewList } from "@/lib/resources/account/saved-views-contract";
import { useDefaultChanged } from "./use-default-changed";

interface ViewFormProps {
  list: ViewList;
  query: string;
  /** The view to rename; null for a new one. */
  view: SavedView | null;
  views: SavedView[];
  onSaved: () => void;
}

type Values = {
  name: string;
  query: string;
  is_default: boolean;
};

const resolver = contractResolver<Values>(savedViewUpdate, (values) => values);

/** Creates or renames a view. A name that is in use replaces that view's filters. */
export function ViewForm({ list, query, view, views, onSaved }: ViewFormProps) {
  const t = useTranslations("savedViews");
  const toasts = useToasts();
  const create = useCreateSavedView();
  const save = useSaveView();
  const defaultChanged = useDefaultChanged();
  const named = (name: string) => views.find((other) => other.name === name.trim());
  const form = useSheetForm<Values>({
    resolver,
    defaultValues: { name: view?.name ?? "", query, is_default: view?.is_default ?? false },
    fields: ["name", "is_default"],
    send: async (body, idempotencyKey) => {
      const changed = view ?? named(body.name);
      if (changed) await save.mutateAsync({ id: changed._id, body });
      else await create.mutateAsync({ body: { list, ...body }, idempotencyKey });
      if (body.is_default || changed?.is_default) defaultChanged();
      toasts.add({ title: t("saved", { name: body.name }) });
      onSaved();
    },
  });
  const typed = useWatch({ control: form.control, name: "name" });
  const replaces = !view && named(typed) !== undefined;
  return (
    <SheetForm
      label={t(view ? "renameTitle" : "saveTitle")}
      action={t(view ? "renameAction" : replaces ? "replaceAction" : "saveAction")}
      {...form}
    >
      <TextField
        {...form.field("name")}
        label={t("name")}
        hint={t(view ? "renameHint" : replaces ? "replaceHint" : "nameHint")}
        placeholder={view ? undefined : t("placeholder")}
        autoComplete="off"
      />
      <label className="flex cursor-pointer items-start gap-3 max-md:min-h-11">
        <input
          type="checkbox"
          {...form.register("is_default")}
          className="mt-0.5 size-4.5 shrink-0 accent-(--ink-brand)"
        />
        <span className="min-w-0">
          <span className="block text-base text-kumo-default">{t("openWith")}</span>
          <span className="block text-sm text-kumo-subtle">{t("openWithHint")}</span>
        </span>
      </label>
    </SheetForm>
  );
}
