import { maxLogoUploadBytes, minLogoSide } from "@/lib/resources/settings/contract";

/** The largest file that the user may choose. */
const maxFileBytes = 5_000_000;

/** In pixels. Payers see the logo at most 40 high and 144 wide; a screen may have three pixels for each. */
const sides = [512, 384, 256, 192, 128];

/** The JPEG qualities to try, for images without transparency. */
const jpegQualities = [0.92, 0.8, 0.6];

/** Why a file cannot be used: keys of messages/en/settings.ts. */
export type LogoProblem = "tooLarge" | "notAnImage" | "heic" | "tooNarrow" | "tooDetailed";

export interface FittedLogo {
  /** A PNG or JPEG as a data URL. */
  image: string;
  width: number;
  height: number;
}

/**
 * Decodes any image that the browser can show, and scales it to what the API takes. An SVG is drawn: its scripts do not run in an
 * image, and only pixels leave the browser.
 */
export async function fitLogo(file: File): Promise<FittedLogo | { problem: LogoProblem }> {
  if (file.size > maxFileBytes) return { problem: "tooLarge" };
  const shown = await decode(file);
  if (!shown) return { problem: (await isHeic(file)) ? "heic" : "notAnImage" };
  const { naturalWidth: width, naturalHeight: height } = shown;
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  for (const side of sides) {
    // An SVG is enlarged without loss. Another image is enlarged only to the smallest size that the API takes.
    const scale = Math.max(file.type === "image/svg+xml" ? side / long : Math.min(1, side / long), minLogoSide / short);
    if (scale * long > 1024) return { problem: "tooNarrow" };
    const canvas = draw(shown, Math.round(width * scale), Math.round(height * scale));
    const image = canvas && smallest(canvas);
    if (canvas && image) return { image, width: canvas.width, height: canvas.height };
  }
  return { problem: "tooDetailed" };
}

/** @returns null if the browser cannot decode it, such as a damaged file or one with too many pixels */
async function decode(file: File): Promise<HTMLImageElement | null> {
  const image = new Image();
  try {
    image.src = await dataUrlOf(file);
    await image.decode();
  } catch {
    return null;
  }
  return image.naturalWidth > 0 && image.naturalHeight > 0 ? image : null;
}

function draw(image: HTMLImageElement, width: number, height: number): HTMLCanvasElement | null {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, width, height);
  return canvas;
}

/** A PNG if that is small enough, which keeps edges sharp; else a JPEG if nothing is transparent. */
function smallest(canvas: HTMLCanvasElement): string | null {
  const png = canvas.toDataURL("image/png");
  if (bytesOf(png) <= maxLogoUploadBytes) return png;
  if (isTransparent(canvas)) return null;
  for (const quality of jpegQualities) {
    const jpeg = canvas.toDataURL("image/jpeg", quality);
    if (bytesOf(jpeg) <= maxLogoUploadBytes) return jpeg;
  }
  return null;
}

const bytesOf = (dataUrl: string): number => ((dataUrl.length - dataUrl.indexOf(",") - 1) * 3) / 4;

function isTransparent(canvas: HTMLCanvasElement): boolean {
  const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return true;
  return false;
}

/** Photos of iPhones: only Safari decodes them. */
async function isHeic(file: File): Promise<boolean> {
  const head = new TextDecoder("latin1").decode(await file.slice(4, 12).arrayBuffer());
  return /^ftyp(hei[cxms]|hev[cx]|mif1|msf1)/.test(head);
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error("The file could not be read."));
    reader.readAsDataURL(file);
  });
}
