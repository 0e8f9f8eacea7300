import { type Control, useWatch } from "react-hook-form";
import { useFormatter, useTranslations } from "use-intl";
import { useAfterPause } from "@/components/ui/use-after-pause";
import { amountBounds, formatMoney } from "@/lib/core/money";
import { toCents } from "@/lib/core/typed-amount";
import type { PackageWithCounts } from "@/lib/resources/packages/contract";
import { shownInPreview, usePriceChange } from "@/lib/resources/subscriptions/queries";
import type { PackageValues } from "./form-values";

/** Whose price the typed amount would change, and from when. */
export function NewPrice({ pkg, control }: { pkg: PackageWithCounts; control: Control<PackageValues> }) {
  const t = useTranslations("packages.newPrice");
  const format = useFormatter();
  const [typed, existing] = useWatch({ control, name: ["amount", "existing_subscriptions"] });
  const cents = useAfterPause(existing === "new_price" ? toCents(typed, pkg.currency, amountBounds) : null);
  const { data } = usePriceChange(pkg._id, cents);
  if (cents === null || !data) return null;
  const { rows, page } = data;
  const more = (page.total ?? 0) - rows.length;
  return (
    <section className="rounded-lg bg-kumo-recessed px-4 py-3" aria-label={t("label")} aria-live="polite">
      {rows.length === 0 && <p className="text-base text-kumo-subtle">{t("nobody")}</p>}
      <ul className="space-y-1.5 text-base">
        {rows.map(({ _id, email, amount_cents, price_change }) => (
          <li key={_id} className="flex flex-wrap justify-between gap-x-4">
            <span className="min-w-0 truncate text-kumo-default">{email}</span>
            <span className="text-kumo-subtle tabular-nums">
              {price_change &&
                t("row", {
                  before: formatMoney(amount_cents, pkg.currency),
                  after: formatMoney(price_change.amount_cents, pkg.currency),
                  when: format.dateTime(new Date(price_change.from), { dateStyle: "medium" }),
                })}
            </span>
          </li>
        ))}
      </ul>
      {rows.length === shownInPreview && more > 0 && (
        <p className="mt-1.5 text-base text-kumo-subtle">
          {t(page.total_is_lower_bound ? "moreThan" : "more", { count: more })}
        </p>
      )}
    </section>
  );
}
