type Rgb = readonly [red: number, green: number, blue: number];

/** The backgrounds of each scheme (lib/payer/style.ts). */
const lightCard: Rgb = [0xf3, 0xf5, 0xf7];
const darkCard: Rgb = [0x17, 0x20, 0x26];
const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

const read = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const write = (rgb: Rgb): string => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
const mix = (from: Rgb, to: Rgb, part: number): Rgb =>
  from.map((value, at) => Math.round(value + ((to[at] ?? 0) - value) * part)) as unknown as Rgb;

/** WCAG 2.2's relative luminance. */
function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** WCAG AA for text. */
const minContrastOnLight = 4.5;
/** WCAG AAA: with less, a colour that is mixed with white looks disabled on a dark page. */
const minContrastOnDark = 7;

function legible(colour: Rgb, ground: Rgb, towards: Rgb, minContrast: number): string {
  for (let part = 0; part < 1; part += 0.05) {
    const tried = mix(colour, towards, part);
    if (contrast(tried, ground) >= minContrast) return write(tried);
  }
  return write(towards);
}

export interface Palette {
  fill: string;
  /** Black or white, whichever contrasts more: every colour has at least 4.58 to 1 with one of them. */
  ink: string;
  hover: string;
  onLight: string;
  onDark: string;
  /** To one decimal, rounded down. */
  contrast: number;
}

/** @param hex #rrggbb */
export function paletteOf(hex: string): Palette {
  const colour = read(hex);
  const [onWhite, onBlack] = [contrast(colour, white), contrast(colour, black)];
  const ink = onWhite >= onBlack ? white : black;
  return {
    fill: write(colour),
    ink: write(ink),
    // Darker under white text, lighter under black, so that the contrast grows.
    hover: write(mix(colour, ink === white ? black : white, 0.18)),
    onLight: legible(colour, lightCard, black, minContrastOnLight),
    onDark: legible(colour, darkCard, white, minContrastOnDark),
    contrast: Math.floor(Math.max(onWhite, onBlack) * 10) / 10,
  };
}

export function brandStyle(hex: string | null): string {
  if (!hex || !isColour(hex)) return "";
  const { fill, ink, hover, onLight, onDark } = paletteOf(hex);
  const tints = [write(mix(read(onLight), white, 0.93)), write(mix(read(onDark), darkCard, 0.9))];
  return (
    `:root{--fill:${fill};--fill-ink:${ink};--fill-hover:${hover};--accent:${onLight};--tint:${tints[0]}}` +
    `@media (prefers-color-scheme:dark){:root{--accent:${onDark};--tint:${tints[1]}}}`
  );
}
