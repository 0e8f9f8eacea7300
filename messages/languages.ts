/**
 * The languages of the dashboard. To add one: translate messages/en into a folder beside it, give it a line here and one
 * in load.ts and provider.tsx. `tag` is what dates, numbers and plurals go by (BCP 47).
 */
export const languages = {
  en: { name: "English", tag: "en-GB" },
} as const;

/**
 * Accented English, for developers: a text that is not accented is missing from the catalogue. Only the cookie selects it.
 */
export const pseudoLanguage = "en-XA";

export type Language = keyof typeof languages | typeof pseudoLanguage;

/** Which language this browser has chosen. */
export const languageCookie = "paydesk-language";

/** The chosen language, else the one of ours that the browser prefers, else English. */
export function pickLanguage(chosen: string | undefined, accepted: string | null): Language {
  if (chosen === pseudoLanguage) return pseudoLanguage;
  const known = Object.keys(languages) as (keyof typeof languages)[];
  return known.find((language) => language === chosen) ?? matchLanguage(accepted, known);
}

/**
 * "de-AT" is "de" unless it is known itself.
 * @param accepted the header Accept-Language: of its known languages, the first with the greatest weight (RFC 9110, 12.5.4), else English
 */
export function matchLanguage<Known extends string>(accepted: string | null, known: readonly Known[]): Known | "en" {
  const ranges = (accepted ?? "").toLowerCase().split(",");
  const matches = ranges.flatMap((range) => {
    const tag = range.split(";")[0]?.trim();
    const language =
      known.find((each) => each.toLowerCase() === tag) ?? known.find((each) => each === tag?.split("-")[0]);
    const weight = Number(/;\s*q\s*=\s*([\d.]+)/.exec(range)?.[1] ?? 1);
    return language && weight > 0 ? [{ language, weight }] : [];
  });
  return matches.sort((a, b) => b.weight - a.weight)[0]?.language ?? "en";
}

/** The tag that formats a language's dates and numbers. */
export const tagOf = (language: Language): string => languages[language === pseudoLanguage ? "en" : language].tag;
