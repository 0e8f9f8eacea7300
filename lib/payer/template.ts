import { randomUUID } from "node:crypto";
import type { ReactElement } from "react";

/** Text that differs from one document to the next, by name. */
type Values = Record<string, string | null>;

/** A part of a page that is rendered once for each `key` and then filled in. Rendering it each time would cost a third of the page. */
export interface Template<Shown extends Values = Values> {
  /** Everything that `render` uses beside the values. */
  key: string;
  /** Which of them are null or empty decides what is rendered, too. */
  values: Shown;
  render(values: Shown): ReactElement;
}

/** Encoded text and names of values take turns. */
type Parts = (Buffer | string)[];

/** 10 kB each. */
const maxTemplates = 500;
const templates = new Map<string, Parts>();

/** Has a random part, so that no text of a business contains it. */
const mark = `\u{e000}${randomUUID()}`;

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? "");

/** The encoded markup of a template with its values, escaped as React escapes them. */
export function fill({ key, values, render }: Template, toMarkup: (element: ReactElement) => string): Buffer[] {
  const entries = Object.entries(values);
  const empty = entries.filter(([, value]) => !value);
  const cacheKey = empty.length === 0 ? key : key + JSON.stringify(empty);
  let parts = templates.get(cacheKey);
  if (!parts) {
    const marked = entries.map(([name, value]) => [name, value && `${mark}${name}${mark}`]);
    const texts = toMarkup(render(Object.fromEntries(marked))).split(mark);
    parts = texts.map((text, index) => (index % 2 ? text : Buffer.from(text)));
    if (templates.size >= maxTemplates) templates.clear();
    templates.set(cacheKey, parts);
  }
  return parts.map((part) => (typeof part === "string" ? Buffer.from(escaped(values[part] ?? "")) : part));
}
