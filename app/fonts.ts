import localFont from "next/font/local";

// The typeface of all pages, split by its package into files, each for its unicode-range. If a file comes late, the first page keeps the fallback:
// another typeface would move the text.

/** Latin letters, which every page needs. */
const latin = localFont({
  src: "../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2",
  variable: "--font-geist-latin",
  weight: "100 900",
  display: "optional",
});

// Other letters, as in Łukasz, Nguyễn and Анна: a page that shows one loads them. The framework reads these calls at the build and allows only
// literals in them, so they share nothing.
const latinExtended = localFont({
  src: "../node_modules/@fontsource-variable/geist/files/geist-latin-ext-wght-normal.woff2",
  variable: "--font-geist-latin-ext",
  weight: "100 900",
  display: "optional",
  adjustFontFallback: false,
  preload: false,
  declarations: [
    {
      prop: "unicode-range",
      value:
        "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF",
    },
  ],
});

const vietnamese = localFont({
  src: "../node_modules/@fontsource-variable/geist/files/geist-vietnamese-wght-normal.woff2",
  variable: "--font-geist-vietnamese",
  weight: "100 900",
  display: "optional",
  adjustFontFallback: false,
  preload: false,
  declarations: [
    {
      prop: "unicode-range",
      value:
        "U+0102-0103,U+0110-0111,U+0128-0129,U+0168-0169,U+01A0-01A1,U+01AF-01B0,U+0300-0301,U+0303-0304,U+0308-0309,U+0323,U+0329,U+1EA0-1EF9,U+20AB",
    },
  ],
});

const cyrillic = localFont({
  src: "../node_modules/@fontsource-variable/geist/files/geist-cyrillic-wght-normal.woff2",
  variable: "--font-geist-cyrillic",
  weight: "100 900",
  display: "optional",
  adjustFontFallback: false,
  preload: false,
  declarations: [
    {
      prop: "unicode-range",
      value: "U+0301,U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116",
    },
  ],
});

/** The file of the geist package, but without preload: few pages use it. */
const mono = localFont({
  src: "../node_modules/geist/dist/fonts/geist-mono/GeistMono-Variable.woff2",
  variable: "--font-geist-mono",
  weight: "100 900",
  adjustFontFallback: false,
  preload: false,
});

/** Classes that define the variables of app/globals.css. */
export const fontClasses = [latin, latinExtended, vietnamese, cyrillic, mono].map(({ variable }) => variable).join(" ");
