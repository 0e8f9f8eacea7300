import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { DocumentProps } from "@react-pdf/renderer";
import type { ReactElement } from "react";
import type { Face } from "./pdf-text";

type Renderer = typeof import("@react-pdf/renderer");

export const weights = { regular: 400, semibold: 600, bold: 700 } as const;
export type Weight = keyof typeof weights;

export interface PdfRenderer {
  elements: Pick<Renderer, "Document" | "Image" | "Page" | "Text" | "View">;
  face(weight: Weight): Face;
  render(document: ReactElement<DocumentProps>): Promise<Uint8Array<ArrayBuffer>>;
}

let opened: Promise<PdfRenderer> | undefined;

/** Loads the PDF library at first use: it is as large as the rest of the server. */
export function openPdfRenderer(): Promise<PdfRenderer> {
  opened ??= open();
  opened.catch(() => {
    opened = undefined; // the next call retries
  });
  return opened;
}

async function open(): Promise<PdfRenderer> {
  const { Document, Font, Image, Page, Text, View, renderToBuffer } = await import("@react-pdf/renderer");
  const folder = fontFolder();
  const fonts = [
    { src: join(folder, "Geist-Regular.ttf"), fontWeight: weights.regular },
    { src: join(folder, "Geist-SemiBold.ttf"), fontWeight: weights.semibold },
    { src: join(folder, "Geist-Bold.ttf"), fontWeight: weights.bold },
  ];
  Font.register({ family: "Geist", fonts });
  // Disables hyphenation: a receipt consists of names and numbers.
  Font.registerHyphenationCallback((word) => [word]);
  await Promise.all(fonts.map(({ fontWeight }) => Font.load({ fontFamily: "Geist", fontWeight })));
  const face = (weight: Weight): Face => {
    const { data } = Font.getFont({ fontFamily: "Geist", fontWeight: weights[weight] });
    if (!isFace(data)) throw new Error("The receipt's typeface is not loaded.");
    return data;
  };
  for (const weight of ["regular", "semibold", "bold"] as const) registerGlyphs(face(weight));
  return {
    elements: { Document, Image, Page, Text, View },
    face,
    render: async (document) => new Uint8Array(await renderToBuffer(document)),
  };
}

/**
 * Requests every glyph by its own character. A glyph remembers the first character it was requested for. One that is
 * first used as part of another glyph (the full stop of the colon) remembers none, and copied amounts would lack their
 * point.
 */
function registerGlyphs(face: Face): void {
  for (const codePoint of face.characterSet) face.glyphForCodePoint(codePoint);
}

/** The library's types do not describe the font. */
function isFace(data: object | null): data is Face {
  return data !== null && "glyphForCodePoint" in data && "characterSet" in data && "unitsPerEm" in data;
}

/**
 * Searches the directories in which Node.js looks for the package, because the package exports no file paths. Next.js
 * would replace require.resolve by a module number.
 */
function fontFolder(): string {
  const folders = createRequire(import.meta.url).resolve.paths("geist") ?? [];
  const folder = folders.map((folder) => join(folder, "geist", "dist", "fonts", "geist-sans")).find(existsSync);
  if (!folder) throw new Error(`The receipt's typeface (the package geist) is in none of ${folders.join(", ")}.`);
  return folder;
}
