import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { DocumentProps } from "@react-pdf/renderer";
import type { ReactElement } from "react";
import type { Face } from "./pdf-text";

type Renderer = typeof import("@react-pdf/renderer");

export const weights = { regular: 400, semibold: 600, bold: 700 } as const;
export type Weight = keyof typeof weights;

export interface Press {
  /** The elements that a document is made of. */
  elements: Pick<Renderer, "Document" | "Image" | "Page" | "Text" | "View">;
  face(weight: Weight): Face;
  print(document: ReactElement<DocumentProps>): Promise<Uint8Array<ArrayBuffer>>;
}

let opened: Promise<Press> | undefined;
let last: Promise<unknown> = Promise.resolve();

/** What makes PDFs. Loaded at first need, once: it is as heavy as the rest of the server. */
export function openPress(): Promise<Press> {
  opened ??= open();
  opened.catch(() => {
    opened = undefined; // the next one tries again
  });
  return opened;
}

async function open(): Promise<Press> {
  const { Document, Font, Image, Page, Text, View, renderToBuffer } = await import("@react-pdf/renderer");
  const folder = fontFolder();
  const fonts = [
    { src: join(folder, "Geist-Regular.ttf"), fontWeight: weights.regular },
    { src: join(folder, "Geist-SemiBold.ttf"), fontWeight: weights.semibold },
    { src: join(folder, "Geist-Bold.ttf"), fontWeight: weights.bold },
  ];
  Font.register({ family: "Geist", fonts });
  // A receipt's words are names and numbers: none is hyphenated.
  Font.registerHyphenationCallback((word) => [word]);
  await Promise.all(fonts.map(({ fontWeight }) => Font.load({ fontFamily: "Geist", fontWeight })));
  const face = (weight: Weight): Face => {
    const { data } = Font.getFont({ fontFamily: "Geist", fontWeight: weights[weight] });
    if (!isFace(data)) throw new Error("The receipt's typeface is not loaded.");
    return data;
  };
  for (const weight of ["regular", "semibold", "bold"] as const) knowGlyphs(face(weight));
  return {
    elements: { Document, Image, Page, Text, View },
    face,
    // One after the other: each is some 50 ms in which nobody else is answered.
    print: (document) => {
      const printed = last.then(async () => new Uint8Array(await renderToBuffer(document)));
      last = printed.catch(() => undefined);
      return printed;
    },
  };
}

/**
 * A glyph keeps the character for which it was asked first. Were it a part of another one (the full stop of the colon), it
 * would keep none, and an amount that is copied out of a PDF would lack its point: so each is asked for by its character.
 */
function knowGlyphs(face: Face): void {
  for (const codePoint of face.characterSet) face.glyphForCodePoint(codePoint);
}

/** The renderer's own types do not say what a typeface is. */
function isFace(data: object | null): data is Face {
  return data !== null && "glyphForCodePoint" in data && "characterSet" in data && "unitsPerEm" in data;
}

/**
 * The package offers no path to its files, so it is looked for where Node.js would look for it. Not with require.resolve:
 * the framework's bundler makes a number of its own of that.
 */
function fontFolder(): string {
  const places = createRequire(import.meta.url).resolve.paths("geist") ?? [];
  const folder = places.map((place) => join(place, "geist", "dist", "fonts", "geist-sans")).find(existsSync);
  if (!folder) throw new Error(`The receipt's typeface (the package geist) is in none of ${places.join(", ")}.`);
  return folder;
}
