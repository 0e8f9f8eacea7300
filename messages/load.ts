import compile from "icu-minify/compile";
import en, { type Catalogue } from "@/messages/en";
import { type Language, pseudoLanguage } from "./languages";
import { mapTexts } from "./map-texts";

const catalogues = { en };

async function textsOf(language: Language): Promise<Catalogue> {
  if (language !== pseudoLanguage) return catalogues[language];
  return (await import("./pseudo")).pseudo(en);
}

/** The compiler makes objects without a prototype, which React does not pass to the browser. */
const plain = (tree: unknown): unknown => JSON.parse(JSON.stringify(tree));

const known = new Map<Language, Promise<typeof en>>();

/** All texts of a language, compiled (next.config.mjs) and cached until the server ends. Typed like the English texts. */
export function load(language: Language): Promise<typeof en> {
  const texts = known.get(language) ?? textsOf(language).then((all) => plain(mapTexts(all, compile)) as typeof en);
  known.set(language, texts);
  return texts;
}
