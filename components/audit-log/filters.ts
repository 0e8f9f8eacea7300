import { dayFields, field } from "@/components/ui/list/filter";
import { auditActionNames } from "@/lib/auth/audit-actions";

export const auditFilters = {
  action: field({
    as: "choice",
    choices: auditActionNames,
    label: (t) => t("audit.page.what"),
    words: (action, t) => t(`audit.action.${action}`),
    criterion: (action, t) => t("audit.page.criterion.action", { action: t(`audit.action.${action}`) }),
  }),
  actor: field({
    as: "text",
    label: (t) => t("audit.page.who"),
    criterion: (actor, t) => t("audit.page.criterion.actor", { actor }),
  }),
  ...dayFields(
    (t) => t("audit.page.from"),
    (t) => t("audit.page.to"),
    (_, t) => t("audit.page.criterion.day"),
  ),
};
