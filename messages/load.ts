import compile from "icu-minify/compile";
import en, { type Catalogue } from "@/messages/en";
import { type Language, pseudoLanguage } from "./languages";
import { mapTexts } from "./map-texts";

const catalogues = { en };

async function textsOf(language: Language): Promise<Catalogue> {
  if (language !== pseudoLanguage) return catalogues[language];
  return (await import("./pseudo")).pseudo(en);
}

/** What may be handed to the browser: the compiler makes objects without a prototype. */
const plain = (tree: unknown): unknown => JSON.parse(JSON.stringify(tree));

const known = new Map<Language, Promise<typeof en>>();

/**
 * All texts in a language, compiled as next.config.mjs has them expected, one object for each as long as the server runs. Typed as
 * English is, whose arguments they take.
 */
export function load(language: Language): Promise<typeof en> {
  const texts = known.get(language) ?? textsOf(language).then((all) => plain(mapTexts(all, compile)) as typeof en);
  known.set(language, texts);
  return texts;
}
