import { usePathname } from "next/navigation";
import { useMemo, useState } from "react";
import { useTimeZone, useTranslations } from "use-intl";
import { useMode, useOwnRole } from "@/components/shell/may";
import { recentPlaces } from "@/components/shell/recent-places";
import { useOwnBusinesses, useSavedViews } from "@/lib/resources/account/queries";
import type { SearchHit } from "@/lib/resources/search/contract";
import { type Group, isNamed, matches } from "./choice";
import { commands } from "./commands";
import { pages, pasted, recent } from "./destinations";
import { results } from "./results";
import { views } from "./views";

/**
 * The groups for a text, without empty ones. What the text names comes first, then the results, then other pages and
 * commands. Without a text: recent places, all pages, all commands. The same groups as long as nothing changes: the list
 * keeps its highlighted line.
 */
export function useGroups(text: string, hits: SearchHit[]): Group[] {
  const t = useTranslations();
  const titles = useTranslations("titles");
  const words = useTranslations("palette");
  const role = useOwnRole();
  const mode = useMode();
  const path = usePathname();
  const zone = useTimeZone() ?? "UTC";
  const businesses = useOwnBusinesses().data?.rows;
  const saved = useSavedViews().data?.rows;
  const [places] = useState(recentPlaces);

  return useMemo(() => {
    const goTo = pages(role, words, titles);
    const all = [...views(role, saved ?? [], words, titles), ...commands(role, mode, businesses ?? [], words)];
    const groups = (): Group[] => {
      if (text === "")
        return [
          { label: words("groups.recent"), items: recent(role, places, path, titles) },
          { label: words("groups.goTo"), items: goTo },
          { label: words("groups.commands"), items: all },
        ];
      const whole = pasted(role, text, words);
      const others = whole.length > 0 ? hits.filter(({ _id }) => _id !== text.toLowerCase()) : hits;
      const named = [...goTo, ...all].filter((choice) => isNamed(choice, text));
      const rest = (choices: typeof all) =>
        choices.filter((choice) => matches(choice, text) && !named.includes(choice));
      return [
        { label: words("groups.open"), items: whole, isCertain: true },
        { label: words("groups.named"), items: named, isCertain: true },
        ...results(role, others, text, { t, zone }),
        { label: words("groups.goTo"), items: rest(goTo) },
        { label: words("groups.commands"), items: rest(all) },
      ];
    };
    return groups().filter(({ items }) => items.length > 0);
  }, [text, hits, t, titles, words, role, mode, path, zone, businesses, saved, places]);
}
