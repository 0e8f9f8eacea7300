import { type Language, languageNames, languages } from "./samples";

export interface Sample {
  /** Unique over all pages of the reference: /docs/samples/{language} has the text under this name. */
  id: string;
  texts: Record<Language, string>;
}

/** Without scripts, a link of another language loads the page in it. The script of the page replaces the texts in place. */
export function CodeSample({ sample, language, path }: { sample: Sample; language: Language; path: string }) {
  const id = `sample-${sample.id}`;
  return (
    <figure className="sample" id={id}>
      <figcaption>
        {languages.map((each) => (
          <a
            key={each}
            href={`${path}?language=${each}#${id}`}
            data-language={each}
            aria-current={each === language ? "true" : undefined}
          >
            {languageNames[each]}
          </a>
        ))}
      </figcaption>
      <pre data-sample={sample.id}>{sample.texts[language]}</pre>
    </figure>
  );
}
