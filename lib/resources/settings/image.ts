import type { JpegOptions, OutputInfo, PngOptions } from "sharp";
import { maxLogoBytes, minLogoSide } from "./contract";

export interface Image {
  type: "image/png" | "image/jpeg";
  width: number;
  height: number;
  content: Buffer;
}

/** In pixels, either way. */
export const maxSide = 1024;

/** The signatures of the two decoders that uploads may reach: sharp also reads SVG, GIF and TIFF. */
const signature = /^(\x89PNG|\xff\xd8\xff)/;

/** Tried in this order until the image fits: re-encoding can enlarge a well compressed upload. */
const encodings: { png: PngOptions[]; jpeg: JpegOptions[] } = {
  png: [{ compressionLevel: 9 }, { palette: true, colours: 256 }, { palette: true, colours: 16 }],
  jpeg: [{ quality: 90 }, { quality: 75 }, { quality: 60 }, { quality: 40 }],
};

/** Of the upload's size, in this order: only a photo full of detail needs less than all of it. */
const scales = [1, 0.7, 0.5, 0.35];

/**
 * Decodes a PNG or JPEG and encodes its pixels anew: 8 bits, sRGB, upright, not interlaced, without metadata or anything behind the image.
 * @returns `problem`, the end of a sentence, if the image is refused
 */
export async function readImage(bytes: Buffer): Promise<Image | { problem: string }> {
  if (!signature.test(bytes.toString("latin1", 0, 4))) return { problem: "" };
  const { default: sharp } = await import("sharp"); // 20 MB of native code that only an upload needs
  sharp.concurrency(1); // one thread of libuv's pool for each upload
  sharp.cache(false);
  try {
    // metadata() reads the header alone, so that the size is known before anything is decoded.
    const image = sharp(bytes, { limitInputPixels: false }).autoOrient();
    const { format, width, height } = await image.metadata();
    if ([width, height].some((side) => side < minLogoSide || side > maxSide))
      return { problem: `: it has ${width} × ${height}` };
    const kind = format === "png" ? "png" : "jpeg";
    let whole: OutputInfo | undefined;
    for (const scale of scales) {
      const size = whole && { width: Math.round(whole.width * scale), height: Math.round(whole.height * scale) };
      if (size && Math.min(size.width, size.height) < minLogoSide) break;
      for (const options of encodings[kind]) {
        const scaled = size ? image.clone().resize({ ...size, fit: "fill" }) : image;
        const { data, info } = await scaled.toFormat(kind, options).toBuffer({ resolveWithObject: true });
        whole ??= info;
        if (data.length <= maxLogoBytes)
          return { type: `image/${kind}`, width: info.width, height: info.height, content: data };
      }
    }
    return { problem: ": it is too detailed to be stored in 24 kB" };
  } catch {
    return { problem: ": it is damaged or cut off" };
  }
}
