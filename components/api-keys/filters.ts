import { field } from "@/components/ui/list/filter";

export const apiKeyFilters = {
  usable: field({
    as: "status",
    choices: ["true", "false"],
    words: (usable, t) => t(`apiKeys.page.usable.${usable}`),
    criterion: (_, t) => t("apiKeys.page.thatState"),
  }),
};
