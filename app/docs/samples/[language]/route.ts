import { baseUrl, rememberLanguage } from "@/app/docs/documents";
import { sampleOf } from "@/components/reference/endpoint-section";
import { guideSamples } from "@/components/reference/guides/samples";
import { isLanguage, type Language } from "@/components/reference/samples";
import { jsonReply, routeHandler } from "@/lib/http/reply";
import { sections } from "@/lib/resources/endpoints";

const texts = new Map<Language, Record<string, string>>();

/** Every sample in one language, by its id. The script of the reference loads them when a reader chooses it. */
export const GET = routeHandler((_request, { language }) => {
  if (!isLanguage(language)) return jsonReply(404, { message: "Not found.", code: "not_found" });
  const found = texts.get(language) ?? textsIn(language);
  texts.set(language, found);
  return jsonReply(200, found, { "Set-Cookie": rememberLanguage(language) });
});

function textsIn(language: Language): Record<string, string> {
  const endpoints = sections.flatMap((section) => Object.values(section.endpoints));
  const samples = [...endpoints.map((endpoint) => sampleOf(endpoint, baseUrl())), ...guideSamples(baseUrl())];
  return Object.fromEntries(samples.flatMap((sample) => (sample ? [[sample.id, sample.texts[language]]] : [])));
}
