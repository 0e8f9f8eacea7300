import type { ReactNode } from "react";
import type { Endpoint } from "@/lib/http/endpoint";
import { anchor } from "./endpoint-section";
import { guides } from "./guides/guides";

export type Section = { name: string; endpoints: Record<string, Endpoint> };

interface Props {
  sections: Section[];
  /** The guide that is shown; null: the reference itself. */
  current: string | null;
  children: ReactNode;
}

export const slug = (name: string): string => name.toLowerCase().replace(/ /g, "-");

export const basics = ["Start", "Responses", "Errors", "Idempotency", "Lists"];

/** The contents beside the page. The search is shown by the script, without which it does nothing. */
export function Frame({ sections, current, children }: Props) {
  return (
    <>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <nav aria-label="Contents">
        <p className="brand">
          <a href="/docs">
            <strong>Paydesk</strong> API
          </a>
          <a href="/" className="back">
            Dashboard
          </a>
        </p>
        <search id="search" hidden>
          <label htmlFor="search-field">Search the reference</label>
          <input
            id="search-field"
            type="search"
            role="combobox"
            aria-expanded="false"
            aria-controls="search-results"
            aria-autocomplete="list"
            autoComplete="off"
            spellCheck={false}
            placeholder="Endpoints, fields, errors…"
            aria-keyshortcuts="/"
          />
          <div id="search-results" role="listbox" aria-label="Results" hidden />
          <p id="search-status" role="status" />
        </search>
        <h2>Guides</h2>
        <ul className="guides">
          {guides.map(({ slug, title }) => (
            <li key={slug}>
              <a href={`/docs/${slug}`} aria-current={slug === current ? "page" : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ul>
        <h2>Reference</h2>
        <ul>
          {basics.map((name) => (
            <li key={name}>
              <a href={`/docs#${slug(name)}`}>{name}</a>
            </li>
          ))}
        </ul>
        {sections.map(({ name, endpoints }) => (
          <div key={name}>
            <h2>{name}</h2>
            <ul>
              {Object.values(endpoints).map((endpoint) => (
                <li key={anchor(endpoint)}>
                  <a href={`/docs#${anchor(endpoint)}`}>{endpoint.summary}</a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}
