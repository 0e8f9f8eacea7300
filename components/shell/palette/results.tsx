import { MagnifyingGlassIcon } from "@phosphor-icons/react/dist/ssr/MagnifyingGlass";
import { PayerName } from "@/components/customers/payer-name";
import { amountAndRefunds } from "@/components/payments/refunded";
import { entries } from "@/components/shell/nav-links";
import { pageOf } from "@/components/shell/pages";
import { cardExpiry, cardName, knownExpiry } from "@/components/tokenizations/words";
import type { Texts } from "@/components/ui/list/columns";
import { momentWords } from "@/components/ui/moment";
import { mayCall, type Role } from "@/lib/auth/scopes";
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
      const { title, email, card, amount_cents, currency, refunded_amount } = hit;
      const hasAmount = amount_cents !== null && currency !== null;
      const money = hasAmount && { amount_cents, currency, refunded_amount: refunded_amount ?? 0 };
      const expiry = card && knownExpiry(card);
      const cardWords = [card && cardName(card, t), expiry && cardExpiry(expiry)];
      const words = [type === "customer" && title !== email && email, ...cardWords].filter(Boolean).join(" · ");
      return {
        id: hit._id,
        icon: entry.icon,
        label: title,
        // The payer comes last: where a line is cut off, card and date still tell a payer's payments apart.
        detail:
          type === "customer" ? (
            words
          ) : (
            <>
              {words && `${words} · `}
              <Day at={hit.created_at} zone={zone} />
              {email !== null && (
                <>
                  {" "}
                  · <PayerName email={email} addressClass="max-sm:hidden" />
                </>
              )}
            </>
          ),
        aside: (
          <>
            {money && <span className="text-right font-medium tabular-nums">{amountAndRefunds(money, t)}</span>}{" "}
            <HitStatus hit={hit} />
          </>
        ),
        address: () => address ?? entry.href,
      };
    });
    return [{ label: t(`titles.${entry.title}`), items: [...items, ...list] }];
  });
}

/** A phone shows the year only if it is another one. */
function Day({ at, zone }: { at: string; zone: string }) {
  const words = momentWords(at, zone);
  const year = momentWords(new Date().toISOString(), zone).slice(-5);
  if (!words.endsWith(year)) return words;
  return (
    <>
      {words.slice(0, -year.length)}
      <span className="max-sm:hidden">{year}</span>
    </>
  );
}
