import { MagnifyingGlassIcon } from "@phosphor-icons/react/dist/ssr/MagnifyingGlass";
import { entries } from "@/components/shell/nav-links";
import { pageOf } from "@/components/shell/pages";
import { cardExpiry, cardName } from "@/components/tokenizations/words";
import type { Texts } from "@/components/ui/list/columns";
import { momentWords } from "@/components/ui/moment";
import { mayCall, type Role } from "@/lib/auth/scopes";
import { formatMoney } from "@/lib/core/money";
import type { HitType, SearchHit } from "@/lib/resources/search/contract";
import type { Choice, Group } from "./choice";
import { HitStatus } from "./hit-status";

/** In the order of the groups. */
const lists: Record<HitType, string> = {
  customer: "/customers",
  payment: "/payments",
  payment_link: "/payment-links",
  subscription: "/subscriptions",
  package: "/packages",
  tokenization: "/tokenizations",
};

const allOf: Partial<Record<HitType, "payments" | "paymentLinks">> = {
  payment: "payments",
  payment_link: "paymentLinks",
};

interface Words {
  t: Texts;
  zone: string;
}

/** The results of a search by type, without the types that the role may not read. */
export function results(role: Role, hits: SearchHit[], text: string, { t, zone }: Words): Group[] {
  return (Object.keys(lists) as HitType[]).flatMap((type): Group[] => {
    const entry = entries.find(({ href }) => href === lists[type]);
    const found = hits.filter((hit) => hit.type === type);
    if (!entry || found.length === 0 || !mayCall(role, entry)) return [];
    const all = allOf[type];
    const list: Choice[] = all
      ? [
          {
            id: `all-${type}`,
            icon: MagnifyingGlassIcon,
            label: t(`palette.allOf.${all}`, { text }),
            // The search finds subscription periods, too, which the list of payment links shows only when asked to.
            address: () =>
              `${entry.href}?q=${encodeURIComponent(text)}${type === "payment_link" ? "&periods=shown" : ""}`,
            isPlace: true,
          },
        ]
      : [];
    const items = found.map((hit): Choice => {
      const address = type === "customer" ? `/customers/${encodeURIComponent(hit._id)}` : pageOf(hit._id);
      const { title, email, card, amount_cents, currency } = hit;
      const amount = amount_cents !== null && currency !== null ? formatMoney(amount_cents, currency) : null;
      const details = [
        title !== email && email,
        card && cardName(card, t),
        card &&
          card.exp_month !== null &&
          card.exp_year !== null &&
          cardExpiry({ ...card, exp_month: card.exp_month, exp_year: card.exp_year }),
        type !== "customer" && momentWords(hit.created_at, zone),
      ];
      return {
        id: hit._id,
        icon: entry.icon,
        label: title,
        detail: details.filter(Boolean).join(" · "),
        aside: (
          <>
            {amount && <span className="font-medium tabular-nums">{amount}</span>} <HitStatus hit={hit} />
          </>
        ),
        address: () => address ?? entry.href,
      };
    });
    return [{ label: t(`titles.${entry.title}`), items: [...items, ...list] }];
  });
}
